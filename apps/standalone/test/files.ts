import { expect } from "vitest";

/** Stores a file through the service; returns its id. */
export async function uploadFile(
  { url }: { readonly url: string },
  as: string,
  name: string,
  content: string,
): Promise<string> {
  const answer = await fetch(`${url}/api/files?name=${name}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${as}`, "Content-Type": "text/plain" },
    body: content,
  });
  const { data } = (await answer.json()) as { data: { id: string } };
  expect(answer.status).toBe(201);
  return data.id;
}

/** Returns the status and the bytes of a file. */
export async function downloadFile(
  { url }: { readonly url: string },
  as: string,
  id: string,
): Promise<readonly [status: number, content: string]> {
  const answer = await fetch(`${url}/api/files/${id}`, {
    headers: { Authorization: `Bearer ${as}` },
  });
  return [answer.status, await answer.text()];
}
