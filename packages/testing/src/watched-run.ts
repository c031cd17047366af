import type { Queryable } from "@rowhouse/db";

/** A server-sent event. */
export interface ReceivedEvent {
  readonly event: string;
  readonly id: string;
  readonly text: string;
  readonly data: unknown;
}

/** A reader of a stream of events. */
export interface Watched {
  readonly response: Response;
  /** Returns the events up to the first that passes, which fails after twenty seconds. */
  until(passes: (event: ReceivedEvent, count: number) => boolean): Promise<ReceivedEvent[]>;
  /** Returns the events until the stream ends. */
  rest(): Promise<ReceivedEvent[]>;
  leave(): Promise<void>;
}

/** Opens a stream and reads its events. */
export async function watchEvents(
  send: (init: RequestInit) => Promise<Response>,
  headers: Record<string, string>,
): Promise<Watched> {
  const response = await send({ headers });
  if (response.status !== 200 || response.body === null) {
    throw new Error(`${response.status} ${await response.text()}`);
  }
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const ready: ReceivedEvent[] = [];
  let text = "";
  let isDone = false;
  const readMore = async () => {
    const { done, value } = await reader.read();
    isDone = done;
    const parts = (text + decoder.decode(value, { stream: !done })).split("\n\n");
    text = parts.pop() ?? "";
    ready.push(...parts.flatMap(toEvent));
  };
  const until: Watched["until"] = async (passes) => {
    const events: ReceivedEvent[] = [];
    const deadline = Date.now() + 100_000;
    for (;;) {
      const event = ready.shift();
      if (event !== undefined) {
        events.push(event);
        if (passes(event, events.length)) return events;
      } else if (isDone) return events;
      else if (Date.now() > deadline) throw new Error(`No such event: ${JSON.stringify(events)}`);
      else await readMore();
    }
  };
  return {
    response,
    until,
    rest: () => until(() => false),
    leave: () => reader.cancel().catch(() => {}),
  };
}

function toEvent(part: string): ReceivedEvent[] {
  const field = (name: string) =>
    part
      .split("\n")
      .filter((line) => line.startsWith(`${name}: `))
      .map((line) => line.slice(name.length + 2))
      .join("\n");
  const text = field("data");
  return text === ""
    ? []
    : [{ event: field("event"), id: field("id"), text, data: JSON.parse(text) }];
}

/** Adds a run that a worker holds. */
export async function addRun(database: Queryable, workflow: string, user: string): Promise<string> {
  const [row] = await database.query<{ id: string }>(
    `insert into system.workflow_runs (workflow_id, version_id, execute_as_user_id, input, status, origin, started_at,
       lease_owner, lease_until)
     select id, published_version_id, $2::uuid, '{"secret":1}', 'RUNNING', 'MANUAL', now(), 'test', now() + interval '1 day'
     from system.workflows where id = $1::uuid returning id`,
    [workflow, user],
  );
  return row?.id ?? "";
}

/** Adds steps that have ended, after those that the run has. */
export async function addSteps(
  database: Queryable,
  run: string,
  ...paths: readonly string[]
): Promise<void> {
  await database.query(
    `insert into system.workflow_run_steps (run_id, path, position, kind, status, output, fence, started_at, finished_at)
     select $1::uuid, p.path, coalesce((select max(position) + 1 from system.workflow_run_steps where run_id = $1::uuid), 0)
         + p.ordinal - 1, 'setValues', 'SUCCEEDED', '{"a":1}', 1, now(), now()
     from json_array_elements_text($2::json) with ordinality as p (path, ordinal)`,
    [run, JSON.stringify(paths)],
  );
}

export async function endStep(database: Queryable, run: string, path: string): Promise<void> {
  await database.query(
    `update system.workflow_run_steps set status = 'SUCCEEDED', finished_at = now()
     where run_id = $1::uuid and path = $2::text`,
    [run, path],
  );
}

/** Ends a run with a result, which is JSON. */
export async function endRun(database: Queryable, run: string, result: string): Promise<void> {
  await database.query(
    `update system.workflow_runs set status = 'SUCCEEDED', result = $2::json, finished_at = now(), lease_owner = null,
       lease_until = null where id = $1::uuid`,
    [run, result],
  );
}
