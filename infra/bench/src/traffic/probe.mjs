// A first call of each request, so that a wrong one is named before the load.
import { formOf, requests } from "./requests.mjs";

// Order 1 matches the row filters of these five sessions, one of each group. The group of auditors does not write.
const sessions = [5, 6, 7, 8, 9];
const auditors = 3;

/**
 * Sends each request once with a session of each group.
 *
 * @param isByHand whether the routes of the handwritten handlers are used
 * @throws Error with the request and the response if one fails
 */
export async function probe(url, secrets, isByHand = false) {
  for (const request of requests) {
    const { method, path, body, prefer } = formOf(request, isByHand);
    for (const session of sessions) {
      if (method !== "GET" && session % 5 === auditors) continue;
      const fill = (text) =>
        text
          .replaceAll("#", "1")
          .replaceAll("@", "7")
          .replaceAll("$EMAIL", `user-${session}@example.com`);
      const answer = await fetch(url + fill(path), {
        method,
        headers: {
          Authorization: `Bearer ${secrets[session]}`,
          "Content-Type": "application/json",
          ...(prefer === undefined ? {} : { Prefer: prefer }),
        },
        ...(body === undefined ? {} : { body: fill(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${url} ${request.name}: ${answer.status} ${text}`);
    }
  }
}
