import type { Document, Parameter } from "@rowhouse/client/openapi";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { keyOf } from "../records/model/resource.ts";
import { client } from "../shell/client.ts";
import { type McpCall, mcpCallText, useMcp } from "../shell/mcp-call.ts";
import { type Navigation, navigationQuery } from "../shell/navigation.ts";
import { useSetting } from "../shell/settings.ts";
import { Code, Snippet } from "../shell/snippet.tsx";
import {
  answerOf,
  bodyOf,
  describeSchema,
  type Operation,
  parametersOf,
  resourceOf,
} from "./operations.ts";
import { clientOf, curlOf, type SnippetValues, sampleBody } from "./snippets.ts";

interface OperationDetailsProps {
  readonly document: Document;
  readonly operation: Operation;
  readonly secret: string | undefined;
}

/** What an operation takes and returns, and the requests that send it with values of the person's own data. */
export function OperationDetails({ document, operation, secret }: OperationDetailsProps) {
  const t = useTranslations("reference");
  const path = useRealValues(document, operation);
  const values = { path, secret };
  const program = clientOf(document, operation, values);
  const offered = useOfferedTools();
  const call = offered && operationCall(document, operation, values, offered);
  const parameters = parametersOf(document, operation);
  const body = bodyOf(operation);
  const answer = answerOf(operation);
  const { description } = operation.object;
  return (
    <div className="grid items-start gap-5 border-line border-t px-4 py-4 xl:grid-cols-2 [&>*]:min-w-0">
      <div className="grid gap-4">
        {description !== undefined && (
          <p lang="en" className="text-ink-2 wrap-anywhere">
            {description}
          </p>
        )}
        {parameters.length > 0 && (
          <Part title={t("parameters")}>
            <dl className="grid gap-2">
              {parameters.map((parameter) => (
                <ParameterEntry key={`${parameter.in} ${parameter.name}`} parameter={parameter} />
              ))}
            </dl>
          </Part>
        )}
        {body !== undefined && (
          <Part title={t("body")}>
            <Code text={describeSchema(document, body)} />
          </Part>
        )}
        <Part title={t("answer", { status: answer.status })}>
          {answer.schema === undefined ? (
            <p className="text-ink-2">{t("noBody")}</p>
          ) : (
            <Code text={describeSchema(document, answer.schema)} />
          )}
        </Part>
      </div>
      <div className="grid gap-4">
        <Snippet title="curl" text={curlOf(document, operation, values)} />
        {program !== undefined && <Snippet title="@rowhouse/client" text={program} />}
        {call !== undefined && <Snippet title={t("call")} text={mcpCallText(call)} />}
      </div>
    </div>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="grid gap-1">
      <h4 className="text-2 text-ink-2">{title}</h4>
      {children}
    </div>
  );
}

function ParameterEntry({ parameter }: { readonly parameter: Parameter }) {
  const t = useTranslations("reference");
  const { name, required = false, description } = parameter;
  return (
    <div className="grid gap-0.5">
      <dt className="flex flex-wrap items-baseline gap-x-2">
        <code className="font-mono font-medium">{name}</code>
        {required && <span className="text-2 text-ink-2">{t("required")}</span>}
      </dt>
      {description !== undefined && (
        <dd lang="en" className="text-2 text-ink-2 wrap-anywhere">
          {description}
        </dd>
      )}
    </div>
  );
}

/** The tools that the MCP server offers; undefined while it is off. */
function useOfferedTools(): OfferedTools | undefined {
  const isOn = useMcp();
  const writes = useSetting("mcp.access") === "READ_WRITE";
  const deletes = useSetting("mcp.allow_deletes") === true && writes;
  const sql = useSetting("mcp.allow_sql") === true;
  return isOn ? { writes, deletes, sql } : undefined;
}

/** The tools that the settings of the installation switch on. */
interface OfferedTools {
  readonly writes: boolean;
  readonly deletes: boolean;
  readonly sql: boolean;
}

/** Returns an operation as a call of a tool of the MCP server; undefined if no offered tool does the same. */
function operationCall(
  document: Document,
  operation: Operation,
  values: SnippetValues,
  offered: OfferedTools,
): McpCall | undefined {
  const body = dataOf(sampleBody(document, operation));
  if (operation.key === "POST /admin/api/sql") {
    return offered.sql ? { tool: "run_sql", arguments: { sql: "select 1" } } : undefined;
  }
  const resource = resourceOf(operation);
  if (resource === undefined) return undefined;
  const { schema, name, rest } = resource;
  const names = { schema, name };
  const key = [values.path.id ?? "id"];
  switch (`${operation.method} ${rest}`.trim()) {
    case "GET":
    case "POST /query":
      return { tool: "read_rows", arguments: { ...names, limit: 10 } };
    case "GET /{id}":
      return { tool: "read_rows", arguments: { ...names, key } };
    case "POST":
      if (!offered.writes) return undefined;
      return {
        tool: "create_rows",
        arguments: { ...names, rows: [body], idempotencyKey: "a-name-of-this-write" },
      };
    case "PATCH /{id}":
      if (!offered.writes) return undefined;
      return { tool: "update_rows", arguments: { ...names, key, values: body } };
    case "DELETE /{id}":
      return offered.deletes ? { tool: "delete_rows", arguments: { ...names, key } } : undefined;
    default:
      return undefined;
  }
}

function dataOf(body: unknown): unknown {
  return typeof body === "object" && body !== null && "data" in body ? body.data : body;
}

type Values = Readonly<Record<string, string>>;

/** Reads values for the path of an operation from the data that the person may read; an unknown one stays away. */
function useRealValues(document: Document, operation: Operation): Values {
  const { data: navigation } = useQuery(navigationQuery);
  const { data } = useQuery({
    queryKey: ["reference", "values", operation.path],
    enabled: navigation !== undefined && operation.path.includes("{"),
    // A sample that cannot be read is no failure of the page.
    retry: false,
    queryFn: async ({ signal }): Promise<Values> => {
      if (navigation === undefined) return {};
      const values = await (operation.path.startsWith("/admin/api/")
        ? recordValues(document, operation.path, signal)
        : rowValues(navigation, operation, signal)
      ).catch(() => ({}));
      return values;
    },
  });
  return data ?? {};
}

/** The key of the first row of a table. A composite key has no single value, so its snippet keeps the name. */
async function rowValues(
  { resources }: Navigation,
  operation: Operation,
  signal: AbortSignal,
): Promise<Values> {
  const { schema, name, kind } = resourceOf(operation) ?? {};
  const resource = resources.find((one) => one.schema === schema && one.name === name);
  if (resource === undefined || kind !== "table") return {};
  const address = { schema: resource.schema, name: resource.name, kind };
  const [column, ...others] = resource.primaryKey;
  if (column === undefined || others.length > 0) return {};
  const { rows } = await client.from(address).list({ fields: [column], limit: 1, signal });
  const [id] = rows[0] === undefined ? [] : (keyOf(resource, rows[0]) ?? []);
  return id === undefined ? {} : { id };
}

/** The values of a path of the Admin API: each is that of the first record of the list before it. */
async function recordValues(
  document: Document,
  path: string,
  signal: AbortSignal,
): Promise<Values> {
  let values: Values = {};
  for (const [braces, name = ""] of path.matchAll(/\{(\w+)\}/g)) {
    const list = path.slice(0, path.indexOf(braces) - 1);
    if (document.paths[list]?.get === undefined) break;
    // Every list of the document takes `path` and `limit`; its type is known only to the document.
    const options = { path: values, query: { limit: 1 }, signal } as object;
    const { data } = await client.admin.get(list.replace("/admin/api", "") as "/roles", options);
    const value = sampleMember(data[0], name);
    if (value === undefined) break;
    values = { ...values, [name]: value };
  }
  return values;
}

/** Records are known by their id; tables, columns and secrets by their name. */
function sampleMember(record: object | undefined, name: string): string | undefined {
  const members: Readonly<Record<string, unknown>> = { ...record };
  const value = members[name] ?? members.id ?? members.name ?? members.number;
  return value === undefined || value === null ? undefined : String(value);
}
