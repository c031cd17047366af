import type { Document, Parameter } from "@rowhouse/client/openapi";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { mcpCallText } from "../shell/mcp-call.ts";
import { Code, Snippet } from "../shell/snippet.tsx";
import { describeSchema } from "./describe-schema.ts";
import { operationCall } from "./operation-call.ts";
import { answerOf, bodyOf, type Operation, parametersOf } from "./operations.ts";
import { clientOf, curlOf } from "./snippets.ts";
import { useOfferedTools } from "./use-offered-tools.ts";
import { useRealValues } from "./use-real-values.ts";

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
