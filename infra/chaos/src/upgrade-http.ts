import type { Side } from "./upgrade-sides.ts";

/** The body of a response that succeeded. */
export interface Body {
  readonly data?: Readonly<Record<string, unknown>>;
}

async function send(
  { gateway }: Side,
  session: string | undefined,
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(`${gateway.url()}${path}`, {
    method,
    headers: {
      ...(session === undefined ? {} : { authorization: `Bearer ${session}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text() };
}

/** @throws Error if the response is not a success */
export async function expect(
  side: Side,
  ...request: [string | undefined, string, string, object?]
): Promise<Body> {
  const { status, text } = await send(side, ...request);
  if (status >= 200 && status < 300) return text === "" ? {} : (JSON.parse(text) as Body);
  throw new Error(`${side.name} ${request[1]} ${request[2]}: ${status} ${text}`);
}

/** @throws Error if the response has another status */
export async function refuse(
  side: Side,
  session: string | undefined,
  method: string,
  path: string,
  expected: number,
): Promise<void> {
  const { status, text } = await send(side, session, method, path);
  if (status !== expected)
    throw new Error(`${side.name} ${method} ${path}: ${status} instead of ${expected} ${text}`);
}

/** @throws Error if the JSON of both differs */
export function same(found: unknown, expected: unknown): void {
  const [is, was] = [JSON.stringify(found), JSON.stringify(expected)];
  if (is !== was) throw new Error(`${is} instead of ${was}`);
}

export const idOf = (body: Body): string => String(body.data?.id);
