/** The reducer of the panel's state. What an op does not touch keeps its identity, so that only changes are drawn. */
import type { Block, Op, State, StepBlock, Turn } from '../shared/wire';

/** The state after an op; the same object where the op changes nothing, also where it is of a kind not known here. */
export function apply(state: State, op: Op): State {
  switch (op.op) {
    case 'set':
      return { ...state, [op.key]: op.value };
    case 'turn':
      return inTurns(state, op.turn_id, turn => ({ blocks: [], ...turn, ...op.set, turn_id: op.turn_id }) as unknown as Turn);
    case 'block':
      return inBlocks(state, op.turn_id, blocks => {
        const index = blocks.findIndex(each => each.id === op.block.id);
        return index < 0 ? [...blocks, op.block] : blocks.with(index, op.block);
      });
    case 'text':
      return inBlocks(state, op.turn_id, blocks => {
        const index = blocks.findIndex(each => each.id === op.block_id);
        const block = blocks[index];
        return block?.kind === 'text' || block?.kind === 'thought' ? blocks.with(index, { ...block, text: block.text + op.append }) : blocks;
      });
    case 'drop':
      return inBlocks(state, op.turn_id, blocks => {
        const kept = blocks.filter(each => each.id !== op.block_id);
        return kept.length === blocks.length ? blocks : kept;
      });
    default:
      return state;
  }
}

/** A snapshot, made of the parts of the old state wherever they are equal: nothing that stayed is drawn again. */
export function restored(old: State, snapshot: State): State {
  return reused(old, snapshot) as State;
}

/** The turn that is under way, if any. */
export function running(state: State): Turn | undefined {
  return state.turns.find(isRunning);
}

export function isRunning(turn: Turn): boolean {
  return (turn.state === 'thinking' || turn.state === 'waiting') && !turn.broken_off;
}

export function hasStep({ blocks }: Turn, matches: (step: StepBlock) => boolean): boolean {
  return blocks.some(block => block.kind === 'step' && matches(block));
}

/** Changes a turn, or adds it where there is none of that id. */
function inTurns({ turns, ...state }: State, id: string, change: (turn: Turn | undefined) => Turn): State {
  // Changes are at the end: a conversation may have hundreds of turns, and text grows thirty times a second.
  const index = turns.findLastIndex(turn => turn.turn_id === id);
  const turn = change(turns[index]);
  return { ...state, turns: index < 0 ? [...turns, turn] : turns.with(index, turn) };
}

function inBlocks(state: State, id: string, change: (blocks: readonly Block[]) => readonly Block[]): State {
  const turn = state.turns.findLast(each => each.turn_id === id);
  const blocks = turn && change(turn.blocks);
  return blocks && blocks !== turn.blocks ? inTurns(state, id, () => ({ ...turn, blocks })) : state;
}

type Container = Readonly<Record<string, unknown>>;

/** What was fresh, with its parts taken from the old value wherever they are equal. */
function reused(old: unknown, fresh: unknown): unknown {
  if (!isContainer(old) || !isContainer(fresh) || Array.isArray(old) !== Array.isArray(fresh)) {
    return fresh;
  }
  const parts = Object.entries(fresh).map(([name, part]) => [name, reused(old[name], part)] as const);
  const isSame = ([name, part]: readonly [string, unknown]): boolean => name in old && Object.is(part, old[name]);
  if (parts.length === Object.keys(old).length && parts.every(isSame)) {
    return old;
  }
  return Array.isArray(fresh) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}
