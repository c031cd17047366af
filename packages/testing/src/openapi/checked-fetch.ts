import { createDocumentCheck } from "./document-check.ts";

/** `fetch` for the paths of one service. */
export type CheckedFetch = (path: string, init?: RequestInit) => Promise<Response>;

/** Where a service is called, read anew for each call: of two gateways it may be another one each time. */
export interface Place {
  readonly url: string;
}

/**
 * A `fetch` for a running service that compares each answer with the service's own documents. Of an answer that is no
 * JSON, which may be a stream, status and media type count.
 *
 * @throws Error that says what an answer is that its document does not have
 */
export function createCheckedFetch(place: Place): CheckedFetch {
  const checkAnswer = createDocumentCheck(async (path, authorization) => {
    const answer = await fetch(`${place.url}${path}`, {
      headers: { Authorization: authorization },
    });
    return { status: answer.status, text: await answer.text() };
  });
  return async (path, init = {}) => {
    const answer = await fetch(`${place.url}${path}`, init);
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
