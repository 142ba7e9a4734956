/** Why a question has no answer. */

interface Circumstances {
  readonly status?: number;
  readonly violations?: readonly string[];
  readonly cause?: unknown;
}

export class CopilotError extends Error {
  /** The server's step, `request` where it took none, or `connection`. */
  readonly step: string;
  /** For people. */
  readonly detail: string;
  /** Of HTTP, where the server refused. */
  readonly status: number | null;
  /** What is wrong with the request, one by one. */
  readonly violations: readonly string[];

  constructor(step: string, detail: string, { status, violations = [], cause }: Circumstances = {}) {
    super(detail, { cause });
    this.name = 'CopilotError';
    this.step = step;
    this.detail = detail;
    this.status = status ?? null;
    this.violations = violations;
  }
}

/** The error of a response that is none of a success: its JSON says why, unless something in between has answered. */
export async function refusal(response: Response): Promise<CopilotError> {
  const { status, statusText } = response;
  const { detail: told, violations } = await said(response);
  const detail = typeof told === 'string' && told ? told : `The server answered ${status} ${statusText}`.trim();
  const wrong = Array.isArray(violations) ? violations.map(each => (typeof each === 'string' ? each : JSON.stringify(each))) : [];
  return new CopilotError('request', detail, { status, violations: wrong });
}

async function said(response: Response): Promise<{ readonly detail?: unknown; readonly violations?: unknown }> {
  try {
    return ((await response.json()) ?? {}) as { readonly detail?: unknown };
  } catch {
    return {};
  }
}
