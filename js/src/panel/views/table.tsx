import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import type { Json, TableBlock } from '../../shared/wire';
import { handle, number, numbers, value } from '../format';
import { AssessmentChip } from './assessment';
import { memo } from './memo';
import { Scroller } from './scroller';

const FIRST_ROWS = 8;

const ASSESSED: readonly Json[] = ['good', 'warning', 'bad', 'unknown'];

/** Rows of a stored result. Its first column and its assessments stay in sight while the rest scrolls. */
export const Table = memo(({ table }: { table: TableBlock }): VNode => {
  const [open, setOpen] = useState(false);
  const { columns, rows, total_rows, frame_key } = table;
  const kinds = columns.map((_, column) => kindOf(rows.map(row => row[column] ?? null)));
  const written = columns.map((_, column) =>
    kinds[column] === 'number' ? numbers(rows.map(row => row[column] ?? null)) : value,
  );
  const shown = open ? rows : rows.slice(0, FIRST_ROWS);
  const name = frame_key ? handle(frame_key) : 'Table';
  return (
    <div class="qd-table">
      <Scroller label={`${name}, ${number(total_rows)} rows`}>
        <table>
          <thead>
            <tr>
              {columns.map((column, index) => (
                <th key={index} scope="col" data-kind={kinds[index]}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              <tr key={index}>
                {columns.map((_, column) => (
                  <Cell
                    key={column}
                    given={row[column]}
                    written={written[column] ?? value}
                    kind={kinds[column]}
                    first={column === 0}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroller>
      <div class="qd-table-foot">
        {rows.length > FIRST_ROWS && (
          <button type="button" class="qd-text-button" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open || total_rows > rows.length ? 'First' : 'All'} {number(open ? FIRST_ROWS : rows.length)} rows
          </button>
        )}
        {total_rows > rows.length && frame_key && (
          <span class="qd-quiet">
            {number(total_rows)} rows in <code>{name}</code>
          </span>
        )}
      </div>
    </div>
  );
});

type Kind = 'number' | 'assessment' | 'text';

function kindOf(column: readonly Json[]): Kind {
  const values = column.filter(each => each !== null);
  if (values.length > 0 && values.every(each => ASSESSED.includes(each))) {
    return 'assessment';
  }
  return values.length > 0 && values.every(each => typeof each === 'number') ? 'number' : 'text';
}

interface CellProps {
  readonly given: Json | undefined;
  readonly written: (value: Json | undefined) => string;
  readonly kind: Kind | undefined;
  readonly first: boolean;
}

function Cell({ given, written, kind, first }: CellProps): VNode {
  const shown = kind === 'assessment' ? <AssessmentChip assessment={typeof given === 'string' ? given : 'unknown'} /> : written(given);
  const whole = typeof given === 'number' && String(given) !== shown ? String(given) : undefined;
  return first ? (
    <th scope="row" data-kind={kind} title={whole}>
      {shown}
    </th>
  ) : (
    <td data-kind={kind} title={whole}>
      {shown}
    </td>
  );
}
