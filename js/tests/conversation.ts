/** Parts of a conversation as the kernel sends them, but for the changes. */
import { initialState, type Op, type State, type StepBlock, type TextBlock, type Turn } from '../src/shared/wire';

export function conversation(changes: Partial<State> = {}): State {
  return { ...initialState, instance: 'ab12', about: { ...initialState.about, state: 'ready' }, ...changes };
}

export function turn(changes: Partial<Turn> = {}): Turn {
  return {
    turn_id: 'a1',
    question: 'Which qubits lost T1?',
    state: 'thinking',
    status: '',
    status_since: 1_790_000_000_000,
    asked_at: 1_790_000_000_000,
    elapsed_s: null,
    assessment: null,
    choices: [],
    headings: [],
    next_steps: [],
    blocks: [],
    meta: { model: null, input_tokens: 0, output_tokens: 0 },
    cells: null,
    broken_off: false,
    ...changes,
  };
}

export function text(content: string, id = 't1'): TextBlock {
  return { id, kind: 'text', text: content };
}

export function step(changes: Partial<StepBlock> = {}): StepBlock {
  return {
    id: 's1',
    kind: 'step',
    call_id: 'call-s1',
    label: 'Reading a parameter over time…',
    about: 't1, last 30 days',
    name: 'get_chip_parameter_timeseries',
    arguments: {},
    state: 'done',
    started_at: 1_790_000_000_000,
    elapsed_s: 1.2,
    rows: 1234,
    frame_key: null,
    frame_gone: false,
    sent: null,
    sources: [],
    error: null,
    hint: null,
    warning: null,
    cell_id: null,
    cell_state: null,
    cell_place: null,
    cell_number: null,
    code: null,
    approval: null,
    ...changes,
  };
}

export function appended(append: string, turnId = 'a1'): Op {
  return { op: 'text', turn_id: turnId, block_id: 't1', append };
}
