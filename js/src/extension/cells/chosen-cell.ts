/** A cell as a question about it takes it: its code, the text that it shows, and its pictures. */
import type { CodeCell } from '@jupyterlab/cells';

import type { Notebook } from '@jupyterlab/notebook';

import type { ChosenCell } from '../../shared/wire';
import type { CellName, MimeBundle } from '../../shared/page';
import { words } from '../words';
import { isCode } from './agent-cell';

type Output = Readonly<Record<string, unknown>>;

const MOST_PICTURES = 4;
/** 5 MB, as base64. */
const MOST_PICTURE_CHARS = 7_000_000;
const MOST_CHARS = 500_000;

export function chosen(cell: CodeCell): ChosenCell {
  const texts: string[] = [];
  const pictures: string[] = [];
  const leftOut: string[] = [];
  const { outputs, sharedModel, executionCount } = cell.model;
  for (let index = 0; index < outputs.length; index++) {
    const output = outputs.get(index).toJSON() as Output;
    const text = textOf(output);
    if (text) {
      texts.push(text);
    }
    const data = (output.data ?? {}) as MimeBundle;
    const picture = data['image/png'];
    if (typeof picture === 'string') {
      const why = pictures.length === MOST_PICTURES ? words.cells.fourPictures : tooLarge(picture);
      if (why) {
        leftOut.push(why);
      } else {
        pictures.push(picture.replace(/\s/g, ''));
      }
    } else if (!text && Object.keys(data).length > 0) {
      leftOut.push(words.cells.otherOutput({ types: Object.keys(data).join(', ') }));
    }
  }
  return {
    label: labelOf(executionCount),
    code: shortened(sharedModel.getSource()),
    output: shortened(texts.join('\n')),
    pictures,
    left_out: leftOut,
    cell_id: cell.model.id,
    fix: false,
  };
}

/** The code cells that hold something, in their order. */
export function cellNames({ widgets }: Notebook): CellName[] {
  return widgets.filter(isCode).flatMap(({ model: { id, executionCount, sharedModel } }) => {
    const first = sharedModel.getSource().split('\n').find(line => line.trim());
    return first === undefined ? [] : [{ cell_id: id, label: labelOf(executionCount), first: first.trim() }];
  });
}

export function hasFailed(cell: CodeCell): boolean {
  return errorsOf(cell).length > 0;
}

/** The cell with its traceback alone, to be mended. */
export function failed(cell: CodeCell): ChosenCell {
  const output = shortened(errorsOf(cell).map(textOf).join('\n'));
  return { ...chosen(cell), code: cell.model.sharedModel.getSource(), output, pictures: [], left_out: [], fix: true };
}

function errorsOf({ model: { outputs } }: CodeCell): readonly Output[] {
  const all = Array.from({ length: outputs.length }, (_, index) => outputs.get(index).toJSON() as Output);
  return all.filter(output => output.output_type === 'error');
}

function textOf(output: Output): string {
  switch (output.output_type) {
    case 'stream':
      return joined(output.text);
    case 'error':
      return joined(output.traceback) || `${joined(output.ename)}: ${joined(output.evalue)}`;
    default: {
      const data = (output.data ?? {}) as MimeBundle;
      return joined(data['text/markdown'] ?? data['text/plain']);
    }
  }
}

export function labelOf(executionCount: number | null): string {
  return `[${executionCount ?? ' '}]`;
}

function joined(text: unknown): string {
  return Array.isArray(text) ? text.join('\n') : typeof text === 'string' ? text : '';
}

function tooLarge(picture: string): string {
  return picture.length > MOST_PICTURE_CHARS ? words.cells.largePicture : '';
}

function shortened(text: string): string {
  const more = text.length - 2 * MOST_CHARS;
  return more <= 0
    ? text
    : // oxlint-disable-next-line ours/no-prose -- for the model
      `${text.slice(0, MOST_CHARS)}\n… (${more} characters are left out here) …\n${text.slice(-MOST_CHARS)}`;
}
