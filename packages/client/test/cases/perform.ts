import { type Client, createClient, type FileUpload, type RowExport } from "../../src/index.ts";
import type { Call } from "./case.ts";

/** A client whose operations take what a case has; the cases are not typed. */
type Loose = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;

type Arguments = Readonly<Record<string, unknown>> & { readonly operation: string };

/** Creates the client of a case. A renewal gives each of its secrets once, and then none. */
export function clientOf(url: string, given: Readonly<Record<string, unknown>> = {}): Client {
  const { renewals, ...options } = given;
  const secrets = Array.isArray(renewals) ? [...renewals] : [];
  const renewal =
    renewals === undefined ? {} : { onUnauthorized: async () => secrets.shift() ?? null };
  return createClient({ url, ...options, ...renewal });
}

/** Makes one call of a case, and returns its result in the form of the cases. */
export async function perform(client: Client, call: Call & Arguments): Promise<unknown> {
  const [area = "", name = ""] = call.operation.split(".");
  if (area === "rows") return performRows(client, name, call);
  if (area === "batch") return performBatch(client, call);
  if (area === "files") return performFiles(client, name, call);
  if (area === "workflows") return performWorkflows(client, name, call);
  if (area === "auth") return performAuth(client, name, call);
  return performArea(client, area, name, call);
}

async function performRows(client: Client, name: string, call: Arguments): Promise<unknown> {
  const { key, data, affected, options = {} } = call;
  const from = client.from as unknown as (...args: unknown[]) => unknown;
  const kind = call.kind === undefined ? [] : [call.kind];
  const rows = from(call.resource, ...kind) as Loose;
  const run = (method: string, ...args: unknown[]) => rows[method]?.(...args);
  switch (name) {
    case "list":
    case "query":
    case "aggregate":
      return pageOf(await run(name, options));
    case "all": {
      const page = (await run("list", options)) as AsyncIterable<unknown>;
      return { rows: await listOf(page) };
    }
    case "next": {
      const page = (await run("list", options)) as { next(): Promise<unknown> };
      const next = await page.next();
      return next === null ? null : pageOf(next);
    }
    case "get":
    case "history":
    case "remove":
      return run(name, key, options);
    case "create":
    case "upsert":
      return run(name, data, options);
    case "update":
      return run(name, key, data, options);
    case "updateMany":
      return run(name, affected, data, options);
    case "removeMany":
      return run(name, affected, options);
    case "export": {
      const file = (await run(name, call.format, options)) as RowExport<unknown>;
      if (call.read === "text") return file.text();
      return listOf(file.rows());
    }
    case "import":
      return run(name, call.rows === undefined ? call.file : streamed(call.rows), options);
    default:
      throw new Error(`Unknown operation rows.${name}`);
  }
}

function pageOf(page: unknown): unknown {
  const { rows, meta } = page as { readonly rows: unknown; readonly meta: unknown };
  return { rows, meta };
}

async function listOf(all: AsyncIterable<unknown>): Promise<unknown[]> {
  const list = [];
  for await (const each of all) list.push(each);
  return list;
}

async function* streamed(rows: unknown): AsyncGenerator<unknown> {
  yield* rows as readonly unknown[];
}

function performBatch(client: Client, { writes, options }: Arguments): Promise<unknown> {
  const made = (writes as readonly Arguments[]).map(({ operation, resource, ...write }) => {
    const of = client.from(String(resource)).writes as unknown as Readonly<
      Record<string, (...args: unknown[]) => unknown>
    >;
    const first = write.affected ?? write.key;
    const args = [first, write.data, write.options].filter((each) => each !== undefined);
    return of[operation]?.(...args);
  });
  return client.batch(made as never, options as never);
}

async function performFiles(client: Client, name: string, call: Arguments): Promise<unknown> {
  const { id, ids, content, options = {} } = call;
  const { files } = client;
  const of = (...args: unknown[]) =>
    (files as unknown as Readonly<Record<string, (...args: unknown[]) => unknown>>)[name]?.apply(
      files,
      args,
    );
  if (name === "upload") return (of(content, options) as FileUpload).result;
  if (name === "replace") return (of(id, content, options) as FileUpload).result;
  if (name === "link") return of(id, options);
  if (name === "links") return of(ids, options);
  const response = (await of(id, options)) as Response;
  return { status: response.status, text: await response.text() };
}

function performWorkflows(client: Client, name: string, call: Arguments): Promise<unknown> {
  if (name === "result") return client.workflows.result(String(call.run));
  return client.workflows.call(String(call.slug), call.body as object, call.options as never);
}

function performAuth(client: Client, name: string, call: Arguments): unknown {
  const auth = client.auth as unknown as Loose;
  return auth[name]?.call(client.auth, ...((call.arguments as unknown[] | undefined) ?? []));
}

async function performArea(
  client: Client,
  area: string,
  method: string,
  { path, options = {} }: Arguments,
): Promise<unknown> {
  const operations = client[area as "admin"] as unknown as Loose;
  const answer = operations[method]?.(path, options);
  if (method === "download") return ((await answer) as Blob).text();
  if (method !== "events") return answer;
  return listOf(answer as unknown as AsyncIterable<unknown>);
}
