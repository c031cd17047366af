// A first call of each request, so that a wrong one is named before the load.
import { requests } from "./requests.mjs";

// Order 1 matches the row filters of these five sessions, one of each group. The group of auditors does not write.
const sessions = [5, 6, 7, 8, 9];
const auditors = 3;

/**
 * Sends each request once with a session of each group.
 *
 * @throws Error with the request and the response if one fails
 */
export async function probe(url, secrets) {
  for (const { name, method = "GET", path, data, headers } of requests) {
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
          ...headers,
        },
        ...(data === undefined ? {} : { body: fill(JSON.stringify({ data })) }),
      });
      if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
    }
  }
}
