/** The reducer of the panel's state. What an op does not touch keeps its identity, so that only changes are drawn. */
import { PROTOCOL, type Block, type Op, type State, type Turn } from './wire';

export const initialState: State = {
  v: PROTOCOL,
  instance: '',
  about: {
    state: 'connecting',
    database: '',
    chip: '',
    model: '',
    endpoint: '',
    is_language_model: true,
    problems: 0,
    greeting: '',
    models: [],
    message: '',
    hint: '',
  },
  starters: [],
  conversation: null,
  frames: [],
  results: null,
  turns: [],
};

/** The state after an op; the same object where the op changes nothing, also where it is of a kind not known here. */
export function apply(state: State, op: Op): State {
  switch (op.op) {
    case 'set':
      return { ...state, [op.key]: op.value };
    case 'turn':
      return inTurn(state, op.turn_id, turn => ({ ...turn, ...op.set })) ?? withTurn(state, op.turn_id, op.set);
    case 'block':
      return inTurn(state, op.turn_id, turn => ({ ...turn, blocks: put(turn.blocks, op.block) })) ?? state;
    case 'text':
      return (
        inTurn(state, op.turn_id, turn =>
          inBlock(turn, op.block_id, block =>
            block.kind === 'text' ? { ...block, text: block.text + op.append } : block,
          ),
        ) ?? state
      );
    case 'drop':
      return (
        inTurn(state, op.turn_id, turn => {
          const blocks = turn.blocks.filter(block => block.id !== op.block_id);
          return blocks.length === turn.blocks.length ? turn : { ...turn, blocks };
        }) ?? state
      );
    default:
      return state;
  }
}

/** A snapshot, made of the parts of the old state wherever they are equal: nothing that stayed is drawn again. */
export function restored(old: State, snapshot: State): State {
  return shared(old, snapshot) as State;
}

/** The turn that is under way, if any. */
export function running(state: State): Turn | undefined {
  return state.turns.find(isRunning);
}

export function isRunning(turn: Turn): boolean {
  return (turn.state === 'thinking' || turn.state === 'waiting') && !turn.broken_off;
}

function withTurn(state: State, turn_id: string, set: Partial<Turn>): State {
  const turn = { blocks: [], ...set, turn_id } as unknown as Turn;
  return { ...state, turns: [...state.turns, turn] };
}

/** undefined where there is no such turn. */
function inTurn(state: State, turn_id: string, change: (turn: Turn) => Turn): State | undefined {
  // Changes are at the end: a conversation may have hundreds of turns, and text grows thirty times a second.
  let index = state.turns.length - 1;
  while (index >= 0 && state.turns[index]?.turn_id !== turn_id) {
    index -= 1;
  }
  const old = state.turns[index];
  if (!old) {
    return undefined;
  }
  const turn = change(old);
  return turn === old ? state : { ...state, turns: replaced(state.turns, index, turn) };
}

function inBlock(turn: Turn, block_id: string, change: (block: Block) => Block): Turn {
  const index = turn.blocks.findIndex(block => block.id === block_id);
  const old = turn.blocks[index];
  if (!old) {
    return turn;
  }
  const block = change(old);
  return block === old ? turn : { ...turn, blocks: replaced(turn.blocks, index, block) };
}

function put(blocks: readonly Block[], block: Block): readonly Block[] {
  const index = blocks.findIndex(each => each.id === block.id);
  return index < 0 ? [...blocks, block] : replaced(blocks, index, block);
}

function replaced<T>(items: readonly T[], index: number, item: T): readonly T[] {
  const copy = items.slice();
  copy[index] = item;
  return copy;
}

function shared(old: unknown, fresh: unknown): unknown {
  if (Object.is(old, fresh) || typeof old !== 'object' || typeof fresh !== 'object' || !old || !fresh) {
    return fresh;
  }
  if (Array.isArray(old) || Array.isArray(fresh)) {
    return Array.isArray(old) && Array.isArray(fresh) ? sharedItems(old, fresh) : fresh;
  }
  return sharedFields(old as Fields, fresh as Fields);
}

type Fields = Record<string, unknown>;

function sharedItems(old: readonly unknown[], fresh: readonly unknown[]): readonly unknown[] {
  const items = fresh.map((item, index) => shared(old[index], item));
  return items.length === old.length && items.every((item, index) => Object.is(item, old[index])) ? old : items;
}

function sharedFields(old: Fields, fresh: Fields): Fields {
  const names = Object.keys(fresh);
  const fields: Fields = {};
  let same = names.length === Object.keys(old).length;
  for (const name of names) {
    fields[name] = shared(old[name], fresh[name]);
    same &&= name in old && Object.is(fields[name], old[name]);
  }
  return same ? old : fields;
}
