import { useMemo, useRef } from "react";
import { useTranslations } from "use-intl";
import type { JsonObject } from "../model/definition.ts";
import { kindOf } from "../model/definition.ts";
import type { DefinitionFault } from "../model/faults.ts";
import type { TriggerKindSchema } from "../parts/kinds-query.ts";
import { controlClasses } from "./control-props.ts";
import { FaultLines } from "./field-frame.tsx";
import { type FormPlace, FormProvider } from "./form-context.ts";
import { fieldsOf } from "./form-field.ts";
import { FormFields } from "./form-fields.tsx";
import { withMembers } from "./members.ts";
import { newTrigger } from "./new-trigger.ts";
import { useFieldFocus } from "./use-field-focus.ts";
import { useScope } from "./use-scope.ts";
import { WebhookHelp } from "./webhook-help.tsx";

interface TriggerFormProps {
  readonly kinds: readonly TriggerKindSchema[];
  readonly value: JsonObject;
  readonly onChange: (next: JsonObject) => void;
  /** With pointers from the trigger. */
  readonly faults: readonly DefinitionFault[];
  /** The pointer of the field that takes the focus. */
  readonly field?: string | undefined;
  readonly place: FormPlace;
  /** The slug of the workflow, which the URL of a webhook has. */
  readonly slug: string;
}

/** The trigger of a workflow: its kind, the fields of the kind, and how a webhook is called. */
export function TriggerForm(props: TriggerFormProps) {
  const { kinds, value, onChange, faults, field, place, slug } = props;
  const t = useTranslations("workflowForm");
  const kind = kinds.find((one) => one.kind === kindOf(value));
  const fields = useMemo(() => (kind === undefined ? [] : fieldsOf(kind.schema)), [kind]);
  const root = useRef<HTMLDivElement>(null);
  const findScope = useScope(place);
  const change = (changes: JsonObject) => onChange(withMembers(value, changes));
  useFieldFocus(root, field);
  return (
    <FormProvider value={{ place, value, change, faults, findScope, Fields: FormFields }}>
      <div ref={root} className="grid gap-4">
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
        <FaultLines faults={faults.filter(({ path }) => path === "" || path === "/kind")} />
        {kindOf(value) === "webhook" && <WebhookHelp trigger={value} slug={slug} />}
        <FormFields fields={fields} pointer="" value={value} onChange={change} hidden={["kind"]} />
      </div>
    </FormProvider>
  );
}
