import { useState } from "react";
import { useTranslations } from "use-intl";
import { Checkbox } from "../../ui/checkbox.tsx";
import { classes } from "../../ui/classes.ts";
import { isJsonObject } from "../model/definition.ts";
import { controlClasses } from "./control-props.ts";
import { Entries } from "./controls/entries.tsx";
import { ExpressionField } from "./expression-field.tsx";
import { FaultLines } from "./field-frame.tsx";
import { useFaults } from "./form-context.ts";
import { JsonField } from "./json-field.tsx";
import { jsonText, readNumberText } from "./json-text.ts";
import type { Scope } from "./shape.ts";
import { useHasUnread, useTypedText } from "./unread-texts.ts";
import { formOf, inForm, rowForms, type ValueForm, valueForms } from "./value-form.ts";

interface ValueFieldProps {
  readonly label: string;
  readonly pointer: string;
  readonly describedBy?: string | undefined;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly forms?: readonly ValueForm[];
  readonly placeholder?: string | undefined;
  readonly findScope?: () => Promise<Scope>;
  /** Whether the members of an object are rows. */
  readonly hasRows?: boolean;
  /** Whether an empty text or number means that there is no value. */
  readonly isOptional?: boolean;
}

/** A value of any type: a text with templates, a number, yes or no, null, or JSON. */
export function ValueField(props: ValueFieldProps) {
  const { label, value, onChange, hasRows = false } = props;
  const { forms = hasRows ? rowForms : valueForms } = props;
  const t = useTranslations("workflowForm.value");
  const [first = "TEXT"] = forms;
  const [chosen, choose] = useState<ValueForm>(first);
  const hasUnread = useHasUnread(props.pointer, value);
  const areRows = hasRows && chosen !== "JSON" && !hasUnread && isJsonObject(value);
  // Without a value the form is the one that was chosen last.
  const form = value === undefined ? chosen : areRows ? "ROWS" : formOf(value);
  const choices = forms.includes(form) ? forms : [form, ...forms];
  return (
    <div className="relative grid min-w-0 grid-cols-[minmax(0,1fr)_auto] items-start gap-1">
      <div className={form === "ROWS" ? "col-span-2 min-w-0" : "min-w-0"}>
        <FormOfValue {...props} form={form} />
        {hasRows && form === "JSON" && <InnerFaults pointer={props.pointer} />}
      </div>
      <select
        aria-label={t("form", { label })}
        value={form}
        onChange={({ target }) => {
          const next = choices.find((one) => one === target.value);
          if (next === undefined) return;
          choose(next);
          onChange(inForm(value, next));
        }}
        className={classes(
          "h-7.5 w-20 rounded-control border border-line-input bg-surface px-1 text-2 text-ink-2",
          // Beside the button that adds a row.
          form === "ROWS" && "absolute right-0 bottom-0",
        )}
      >
        {choices.map((one) => (
          <option key={one} value={one}>
            {t(`forms.${one}`)}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Faults inside of a value that is shown as one text. */
function InnerFaults({ pointer }: { readonly pointer: string }) {
  return <FaultLines faults={useFaults(pointer).filter(({ path }) => path !== pointer)} />;
}

function FormOfValue(props: ValueFieldProps & { readonly form: ValueForm }) {
  const { form, label, pointer, describedBy, value, onChange, placeholder, findScope } = props;
  const { isOptional = false } = props;
  const t = useTranslations("workflowForm.value");
  switch (form) {
    case "TEXT":
      return (
        <ExpressionField
          kind="TEMPLATE"
          label={label}
          describedBy={describedBy}
          text={typeof value === "string" ? value : ""}
          onChange={(text) => onChange(isOptional && text === "" ? undefined : text)}
          placeholder={placeholder}
          {...(findScope === undefined ? {} : { findScope })}
        />
      );
    case "NUMBER":
      return <NumberText {...props} />;
    case "BOOLEAN":
      return (
        <div className="flex h-7.5 items-center">
          <Checkbox label={t("isTrue", { label })} isChecked={value === true} onChange={onChange} />
        </div>
      );
    case "NULL":
      return <p className="leading-7.5 text-ink-2">{t("null")}</p>;
    case "ROWS":
      return (
        <Entries label={label} pointer={pointer} value={value} onChange={onChange} first="">
          {(entry) => <ValueField {...entry} />}
        </Entries>
      );
    case "JSON":
      return (
        <JsonField
          label={label}
          pointer={pointer}
          describedBy={describedBy}
          value={value}
          onChange={onChange}
        />
      );
    default:
      return form satisfies never;
  }
}

function NumberText(props: ValueFieldProps) {
  const { label, pointer, describedBy, value, onChange, isOptional = false } = props;
  const draft = useTypedText({
    ...{ pointer, value, onChange },
    print: jsonText,
    read: (text) =>
      isOptional && text.trim() === "" ? { value: undefined } : readNumberText(text),
  });
  return (
    <input
      aria-label={label}
      aria-describedby={describedBy}
      aria-invalid={draft.isUnread}
      inputMode="decimal"
      autoComplete="off"
      value={draft.text}
      onChange={({ target }) => draft.type(target.value)}
      className={`${controlClasses} tabular-nums`}
    />
  );
}
