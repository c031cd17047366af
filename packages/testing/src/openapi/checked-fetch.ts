import { createDocumentCheck } from "./document-check.ts";

/** `fetch` for the paths of one service. */
export type CheckedFetch = (path: string, init?: RequestInit) => Promise<Response>;

/**
 * A `fetch` for a running service that compares each answer with the service's own documents. Of an answer that is no
 * JSON, which may be a stream, status and media type count.
 *
 * @throws Error that says what an answer is that its document does not have
 */
export function createCheckedFetch(url: string): CheckedFetch {
  const checkAnswer = createDocumentCheck(async (path, authorization) => {
    const answer = await fetch(`${url}${path}`, { headers: { Authorization: authorization } });
    return { status: answer.status, text: await answer.text() };
  });
  return async (path, init = {}) => {
    const answer = await fetch(`${url}${path}`, init);
    const contentType = answer.headers.get("content-type");
    const isJson = contentType?.startsWith("application/json") === true;
    await checkAnswer({
      method: init.method ?? "GET",
      path,
      authorization: new Headers(init.headers).get("authorization"),
      status: answer.status,
      contentType,
      text: isJson ? await answer.clone().text() : "",
    });
    return answer;
  };
}
