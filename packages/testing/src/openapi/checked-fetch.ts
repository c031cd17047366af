import { createDocumentCheck } from "./document-check.ts";

/** `fetch` for the paths of one service. */
export type CheckedFetch = (path: string, init?: RequestInit) => Promise<Response>;

/** URL of the service, read again for each call: with two gateways it alternates. */
export interface Place {
  readonly url: string;
}

/**
 * Creates a `fetch` that compares each response of a running service with the service's own documents. For a response
 * that is not JSON, and may be a stream, only status and media type are compared.
 *
 * @throws Error that names the difference between response and document
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
