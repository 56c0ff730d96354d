// The error that the client throws for a response that is not OK (specification, section 8).
import { sentenceTranslator } from '@/i18n/server-sentences';
import type { AppealOffer, Problem } from './schema.gen';

/** HTTP/2 sends no status text, so the client has the reason phrases of RFC 9110. */
const reasonPhrases: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

interface Answer {
  status: number;
  /** The `error` sentence of a problem response, in the language of the screen; null if the body has none. */
  sentence: string | null;
  /** Whether the body was JSON. */
  readable: boolean;
  code?: string;
  fields: Record<string, string>;
  requestId?: string;
  appeal?: AppealOffer;
}

/** `message` is `<status>: <error sentence, else body text, else reason phrase>`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly sentence: string | null;
  readonly readable: boolean;
  readonly code?: string;
  /** The server's error sentence by field name. */
  readonly fields: Record<string, string>;
  readonly requestId?: string;
  /** Of a suspended account. */
  readonly appeal?: AppealOffer;

  constructor(text: string, answer: Answer) {
    super(`${answer.status}: ${text}`);
    this.status = answer.status;
    this.sentence = answer.sentence;
    this.readable = answer.readable;
    this.code = answer.code;
    this.fields = answer.fields;
    this.requestId = answer.requestId;
    this.appeal = answer.appeal;
  }
}

/** The resource does not exist or is hidden from the caller. */
export function isUnknown(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

export async function apiErrorFrom(response: Response): Promise<ApiError> {
  const text = (await response.text().catch(() => '')).trim();
  const reason = response.statusText || reasonPhrases[response.status] || 'Error';
  const problem = parseProblem(text);
  const translate = await sentenceTranslator();
  const sentence = problem?.error ? translate(problem.error) : null;
  const fields = Object.entries(problem?.fields ?? {}).map(([name, text]) => [name, translate(text)]);
  const answer = {
    status: response.status,
    sentence,
    readable: problem !== null,
    code: problem?.code,
    fields: Object.fromEntries(fields) as Record<string, string>,
    requestId: problem?.requestId ?? undefined,
    appeal: problem?.appeal,
  };
  return new ApiError(sentence ?? (text || reason), answer);
}

function parseProblem(text: string): Partial<Problem> | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : null;
  } catch {
    return null;
  }
}
