import { createClient, type Fetch } from "@rowhouse/client";
import { askForSession } from "../../shell/renewal.ts";
import { currentSession } from "../../shell/session.ts";
import { answerViewing } from "../../shell/viewed-as.ts";

/** Returns a client whose uploads report their progress; `fetch` has none. */
export function uploadClient(onProgress: (part: number) => void) {
  const session = currentSession()?.token;
  return createClient({
    url: location.origin,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    retryAfterMaxSeconds: 2,
    fetch: upload(onProgress),
    onUnauthorized: askForSession,
    ...(session === undefined ? {} : { session }),
  });
}

function upload(onProgress: (part: number) => void): Fetch {
  return (url, init) =>
    answerViewing(url, init) ??
    new Promise((resolve, reject) => {
      const { method = "GET", headers, body, signal } = init;
      const request = new XMLHttpRequest();
      request.open(method, url);
      new Headers(headers).forEach((value, name) => {
        request.setRequestHeader(name, value);
      });
      request.upload.onprogress = ({ loaded, total }) =>
        onProgress(total === 0 ? 1 : loaded / total);
      request.onload = () => {
        const { status, responseText } = request;
        const received = new Headers();
        for (const name of ["retry-after", "x-request-id", "content-type"]) {
          const value = request.getResponseHeader(name);
          if (value !== null) received.set(name, value);
        }
        resolve(new Response(status === 204 ? null : responseText, { status, headers: received }));
      };
      request.onerror = () => reject(new TypeError("The upload failed"));
      request.onabort = () => reject(signal?.reason);
      signal?.addEventListener("abort", () => request.abort());
      if (signal?.aborted === true) reject(signal.reason);
      else request.send(body instanceof ReadableStream ? null : body);
    });
}
