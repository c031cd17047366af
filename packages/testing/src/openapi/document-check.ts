import { type AnswerCheck, type CheckedAnswer, createAnswerCheck } from "./answer-check.ts";
import { type AnswerSample, chosenSample } from "./answer-sample.ts";

/** Sends a request to the tested service as the test does, but without a check. */
type AskDocument = (
  path: string,
  authorization: string,
) => Promise<{ readonly status: number; readonly text: string }>;

interface AskedAnswer extends CheckedAnswer {
  /** The Authorization header of the request. */
  readonly authorization: string | null;
}

// All services of one test process have the same routes of both APIs, and therefore the same documents.
let adminRoutes: AnswerCheck | undefined;
let ownRoutes: AnswerCheck | undefined;
const ownDocument = "/api/openapi?exports=true";
const rowsPath = /^\/api\/[^/?]+\/(?:table|view)\//;

/**
 * Compares each response of a service with the document that the service serves: responses of the Admin API with its
 * document, rows with the current document of their caller, all others of `/api` with the routes of any caller's
 * document. Responses that arrive before a valid credential has loaded a document are not compared.
 *
 * @param sample the responses that are compared; by default, those that this process compares
 * @returns a function that throws an error which names the difference
 */
export function createDocumentCheck(
  ask: AskDocument,
  sample: AnswerSample = chosenSample,
): (answer: AskedAnswer) => Promise<void> {
  const checkOf = (text: string, formats: boolean): AnswerCheck =>
    createAnswerCheck(JSON.parse(text), { formats, sample });
  const load = async (path: string, authorization: string | null): Promise<string | undefined> => {
    if (authorization === null) return undefined;
    const { status, text } = await ask(path, authorization);
    return status === 200 ? text : undefined;
  };
  const byText = new Map<string, AnswerCheck>();
  const byCaller = new Map<string, AnswerCheck>();
  /** The caller's current document. */
  const reload = async (authorization: string): Promise<AnswerCheck | undefined> => {
    const text = await load(ownDocument, authorization);
    if (text === undefined) return undefined;
    const check = byText.get(text) ?? checkOf(text, false);
    byText.set(text, check);
    byCaller.set(authorization, check);
    return check;
  };
  const checkRows = async (answer: AskedAnswer, authorization: string): Promise<void> => {
    try {
      // Permissions seldom change between two requests: the cached document is used unless it lacks the response.
      byCaller.get(authorization)?.checkSampled(answer);
      if (byCaller.has(authorization)) return;
    } catch {
      // The cached document may be out of date.
    }
    (await reload(authorization))?.check(answer);
  };

  return async (answer) => {
    const { path, authorization, method } = answer;
    if (method === "OPTIONS") return;
    if (path.startsWith("/admin/api/")) {
      const text = adminRoutes ?? (await load("/admin/api/openapi?exports=true", authorization));
      if (typeof text === "string") adminRoutes = checkOf(text, true);
      adminRoutes?.checkSampled(answer);
      return;
    }
    if (!path.startsWith("/api/")) return;
    if (!rowsPath.test(path)) {
      const text = ownRoutes ?? (await load(ownDocument, authorization));
      if (typeof text === "string") ownRoutes = checkOf(text, true);
      ownRoutes?.checkSampled(answer);
      return;
    }
    if (answer.status !== 401 && authorization !== null) await checkRows(answer, authorization);
  };
}
