import { useMemo, useRef } from "react";
import { useTranslations } from "use-intl";
import { isObject } from "../../records/filter/read-where.ts";
import { LockedFields } from "../../shell/managed.tsx";
import { type McpCall, mcpCallText, useMcp } from "../../shell/mcp-call.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Check, Copy } from "../../ui/icons.generated.ts";
import { useCopied } from "../../ui/use-copied.ts";
import { type JsonObject, kindOf } from "../model/definition.ts";
import type { DefinitionFault } from "../model/faults.ts";
import type { TriggerKindSchema } from "../parts/kinds-query.ts";
import { controlClasses } from "./control-props.ts";
import { FaultLines } from "./field-frame.tsx";
import { type FormPlace, FormProvider } from "./form-context.ts";
import { type FormField, fieldsOf } from "./form-field.ts";
import { FormFields } from "./form-fields.tsx";
import { withMembers } from "./members.ts";
import { useFieldFocus } from "./use-field-focus.ts";
import { useScope } from "./use-scope.ts";
import { curlCommand } from "./webhook-command.ts";

interface TriggerFormProps {
  readonly kinds: readonly TriggerKindSchema[];
  readonly value: JsonObject;
  readonly onChange: (next: JsonObject) => void;
  /** With pointers from the trigger. */
  readonly faults: readonly DefinitionFault[];
  /** The pointer of the field that takes the focus. */
  readonly field?: string | undefined;
  readonly isLocked: boolean;
  readonly place: FormPlace;
  /** The slug of the workflow, which the URL of a webhook has. */
  readonly slug: string;
}

/** The trigger of a workflow: its kind, the fields of the kind, and how a webhook is called. */
export function TriggerForm(props: TriggerFormProps) {
  const { kinds, value, onChange, faults, field, isLocked, place, slug } = props;
  const t = useTranslations("workflowForm");
  const kind = kinds.find((one) => one.kind === kindOf(value));
  const fields = useMemo(() => (kind === undefined ? [] : fieldsOf(kind.schema)), [kind]);
  const root = useRef<HTMLDivElement>(null);
  const findScope = useScope(place);
  const change = (changes: JsonObject) => onChange(withMembers(value, changes));
  useFieldFocus(root, field);
  return (
    <FormProvider value={{ place, isLocked, value, change, faults, findScope, Fields: FormFields }}>
      <div ref={root} className="grid gap-4">
        <LockedFields isLocked={isLocked}>
          <label className="grid gap-1" data-pointer="/kind">
            <span className="font-medium">{t("triggerKind")}</span>
            <select
              value={kindOf(value)}
              onChange={({ target }) => {
                const next = kinds.find((one) => one.kind === target.value);
                if (next !== undefined) onChange(newTrigger(next, value));
              }}
              className={`${controlClasses} max-w-80`}
            >
              {kind === undefined && <option value={kindOf(value)}>{kindOf(value)}</option>}
              {kinds.map((one) => (
                <option key={one.kind} value={one.kind}>
                  {one.title}
                </option>
              ))}
            </select>
            {kind !== undefined && <span className="text-2 text-ink-2">{kind.help}</span>}
          </label>
        </LockedFields>
        <FaultLines faults={faults.filter(({ path }) => path === "" || path === "/kind")} />
        {kindOf(value) === "webhook" && <WebhookHelp trigger={value} slug={slug} />}
        <LockedFields isLocked={isLocked}>
          <FormFields
            fields={fields}
            pointer=""
            value={value}
            onChange={change}
            hidden={["kind"]}
          />
        </LockedFields>
      </div>
    </FormProvider>
  );
}

/** Returns a trigger of a kind, with the values of the former one that it has too. */
function newTrigger({ kind, schema }: TriggerKindSchema, before: JsonObject): JsonObject {
  const values = fieldsOf(schema).flatMap((field): [string, unknown][] => {
    const kept = before[field.name];
    if (kept != null) return [[field.name, kept]];
    return field.isRequired ? [[field.name, firstOf(field)]] : [];
  });
  return { kind, ...Object.fromEntries(values) };
}

function firstOf({ control }: FormField): unknown {
  if (control === "list") return ["insert"];
  return control === "cron" ? "0 6 * * *" : "";
}

/** How a webhook is called: its URL, and a command with a valid signature. */
function WebhookHelp(props: { readonly trigger: JsonObject; readonly slug: string }) {
  const { trigger, slug } = props;
  const t = useTranslations("workflowForm.webhook");
  const url = `${location.origin}/api/workflows/${slug}/webhook`;
  const hasMcp = useMcp();
  const isGet = trigger.method === "GET";
  return (
    <div className="grid min-w-0 gap-2 rounded-control bg-sunken p-3">
      <Copied label={t("url")} text={url} shown={`${isGet ? "GET" : "POST"} ${url}`} />
      <Copied label={t("command")} text={curlCommand(trigger, url)} />
      {hasMcp && isObject(trigger.tool) && (
        <Copied label={t("call")} text={mcpCallText(runCall(slug))} />
      )}
      {isObject(trigger.signature) && <p className="text-2 text-ink-2">{t("signed")}</p>}
      {trigger.access === "AUTHENTICATED" && (
        <p className="text-2 text-ink-2">{t("authenticated")}</p>
      )}
    </div>
  );
}

/** The call that runs the workflow. A repeated key is answered with the same run. */
function runCall(slug: string): McpCall {
  const idempotencyKey = "a-name-of-this-run";
  return { tool: "run_workflow", arguments: { slug, input: {}, idempotencyKey } };
}

function Copied(props: { readonly label: string; readonly text: string; readonly shown?: string }) {
  const { label, text, shown = text } = props;
  const t = useTranslations("workflowForm.webhook");
  const { isCopied, copy } = useCopied();
  return (
    <div className="grid min-w-0 gap-1">
      <div className="flex items-center justify-between gap-2">
        <span className="font-medium text-2">{label}</span>
        <IconButton
          label={t("copy", { label })}
          icon={isCopied ? Check : Copy}
          onPress={() => copy(text)}
        />
      </div>
      <pre className="overflow-x-auto whitespace-pre-wrap break-all font-mono text-2">
        <code>{shown}</code>
      </pre>
      <span role="status" className="sr-only">
        {isCopied ? t("copied") : ""}
      </span>
    </div>
  );
}
