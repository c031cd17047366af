import { type AnswerCheck, type CheckedAnswer, createAnswerCheck } from "./answer-check.ts";

/** Asks the service that a test talks to, as the test does, but without a check. */
type AskDocument = (
  path: string,
  authorization: string,
) => Promise<{ readonly status: number; readonly text: string }>;

interface AskedAnswer extends CheckedAnswer {
  /** The header that the answer was asked with. */
  readonly authorization: string | null;
}

// The routes of both APIs are the same in all services of one process of tests; so are their documents.
let adminRoutes: AnswerCheck | undefined;
let ownRoutes: AnswerCheck | undefined;
const rowsPath = /^\/api\/[^/?]+\/(?:table|view)\//;

/**
 * Compares each answer of a service with the document that the service itself serves: answers of the Admin API with
 * that of the Admin API, rows with that of their caller at this moment, all others of `/api` with the routes of any
 * caller's. What comes before a good credential has shown a document is not compared.
 *
 * @returns a function that throws an error which says what the document does not have
 */
export function createDocumentCheck(ask: AskDocument): (answer: AskedAnswer) => Promise<void> {
  const load = async (path: string, authorization: string | null): Promise<string | undefined> => {
    if (authorization === null) return undefined;
    const { status, text } = await ask(path, authorization);
    return status === 200 ? text : undefined;
  };
  const byText = new Map<string, AnswerCheck>();
  const byCaller = new Map<string, AnswerCheck>();
  /** The caller's document of this moment. */
  const reload = async (authorization: string): Promise<AnswerCheck | undefined> => {
    const text = await load("/api/openapi", authorization);
    if (text === undefined) return undefined;
    const check = byText.get(text) ?? checkOf(text, false);
    byText.set(text, check);
    byCaller.set(authorization, check);
    return check;
  };
  const checkRows = async (answer: AskedAnswer, authorization: string): Promise<void> => {
    try {
      // Rights seldom change between two requests: the document at hand will do, unless the answer is not in it.
      byCaller.get(authorization)?.check(answer);
      if (byCaller.has(authorization)) return;
    } catch {
      // It may be one of another moment.
    }
    (await reload(authorization))?.check(answer);
  };

  return async (answer) => {
    const { path, authorization, method } = answer;
    if (method === "OPTIONS") return;
    if (path.startsWith("/admin/api/")) {
      const text = adminRoutes ?? (await load("/admin/api/openapi", authorization));
      if (typeof text === "string") adminRoutes = checkOf(text, true);
      adminRoutes?.check(answer);
      return;
    }
    if (!path.startsWith("/api/")) return;
    if (!rowsPath.test(path)) {
      const text = ownRoutes ?? (await load("/api/openapi", authorization));
      if (typeof text === "string") ownRoutes = checkOf(text, true);
      ownRoutes?.check(answer);
      return;
    }
    if (answer.status !== 401 && authorization !== null) await checkRows(answer, authorization);
  };
}

function checkOf(text: string, formats: boolean): AnswerCheck {
  return createAnswerCheck(JSON.parse(text), { formats });
}
