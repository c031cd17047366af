import { useFormatter, useTranslations } from "use-intl";
import { type ControlProps, controlClasses, inputAttributes } from "../control-props.ts";
import { ExpressionField } from "../expression-field.tsx";
import { isNullable } from "../form-field.ts";
import { jsonText, readNumberText } from "../json-text.ts";
import { useTypedText } from "../unread-texts.ts";
import { ValueField } from "../value-field.tsx";

/** A text without templates. */
export function TextControl(props: ControlProps) {
  const { field, value, onChange } = props;
  return (
    <input
      {...inputAttributes(props)}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      dir="auto"
      value={typeof value === "string" ? value : ""}
      placeholder={
        value === undefined && typeof field.default === "string" ? field.default : undefined
      }
      onChange={({ target }) => onChange(optionalText(props, target.value))}
      className={controlClasses}
    />
  );
}

/** A text of several lines without templates. */
export function NoteControl(props: ControlProps) {
  const { value, onChange } = props;
  return (
    <textarea
      {...inputAttributes(props)}
      dir="auto"
      value={typeof value === "string" ? value : ""}
      onChange={({ target }) => onChange(optionalText(props, target.value))}
      className={`${controlClasses} h-auto max-h-60 min-h-16 resize-none py-1.5 field-sizing-content`}
    />
  );
}

/** A text with templates. */
export function TemplateControl(props: ControlProps) {
  return <TemplateText {...props} isLine />;
}

/** A text of several lines with templates. */
export function TemplateTextControl(props: ControlProps) {
  return <TemplateText {...props} isLine={false} />;
}

function TemplateText(props: ControlProps & { readonly isLine: boolean }) {
  const { label, describedBy, value, onChange, isLine } = props;
  return (
    <ExpressionField
      kind="TEMPLATE"
      label={label}
      describedBy={describedBy}
      isLine={isLine}
      text={typeof value === "string" ? value : ""}
      onChange={(text) => onChange(optionalText(props, text))}
    />
  );
}

/** A condition in CEL. */
export function CelControl(props: ControlProps) {
  const { label, describedBy, value, onChange } = props;
  return (
    <ExpressionField
      kind="CEL"
      label={label}
      describedBy={describedBy}
      text={typeof value === "string" ? value : ""}
      onChange={(text) => onChange(optionalText(props, text))}
    />
  );
}

/** The empty text of a field that is not required means that there is none. */
function optionalText({ field }: Pick<ControlProps, "field">, text: string) {
  return text === "" && !field.isRequired ? undefined : text;
}

/** A number. An empty field means the default. */
export function NumberControl(props: ControlProps) {
  const { field, pointer, value, onChange } = props;
  const t = useTranslations("workflowForm");
  const draft = useTypedText({
    ...{ pointer, value, onChange },
    print: (one) => (one === null ? "" : jsonText(one)),
    read: (text) => (text.trim() === "" ? { value: undefined } : readNumberText(text)),
  });
  return (
    <>
      <input
        {...inputAttributes(props)}
        aria-invalid={props.isInvalid || draft.isUnread}
        inputMode="decimal"
        autoComplete="off"
        value={draft.text}
        placeholder={
          field.default == null
            ? t(isNullable(field.schema) ? "unlimited" : "none")
            : String(field.default)
        }
        onChange={({ target }) => draft.type(target.value)}
        className={`${controlClasses} max-w-40 tabular-nums`}
      />
      {draft.isUnread && (
        <p role="alert" className="text-2 text-danger">
          {t("notNumber")}
        </p>
      )}
    </>
  );
}

const units = [
  { unit: "day", ms: 86_400_000 },
  { unit: "hour", ms: 3_600_000 },
  { unit: "minute", ms: 60_000 },
  { unit: "second", ms: 1000 },
] as const;

/** A time in milliseconds, and in the largest unit that says it exactly. */
export function MillisecondsControl(props: ControlProps) {
  return <Duration {...props} factor={1} unit="ms" />;
}

/** A time in seconds, or a template where the field accepts one. */
export function SecondsControl(props: ControlProps) {
  if (props.field.schema.anyOf === undefined) return <Duration {...props} factor={1000} unit="s" />;
  return <ValueField {...props} forms={["NUMBER", "TEXT"]} isOptional />;
}

function Duration(props: ControlProps & { readonly factor: number; readonly unit: "ms" | "s" }) {
  const { value, field, factor, unit } = props;
  const t = useTranslations("workflowForm");
  const format = useFormatter();
  const amount = typeof value === "number" ? value : field.default;
  const ms = typeof amount === "number" ? amount * factor : 0;
  const found = units.find((one) => ms >= one.ms && ms % one.ms === 0);
  return (
    <div className="flex flex-wrap items-center gap-x-2">
      <div className="w-40">
        <NumberControl {...props} />
      </div>
      <span className="text-2 text-ink-2">{t(`units.${unit}`)}</span>
      {found !== undefined && !(unit === "s" && found.unit === "second") && (
        <span className="text-2 text-ink-2">
          {t("duration", {
            duration: format.number(ms / found.ms, {
              ...{ style: "unit", unit: found.unit, unitDisplay: "long" },
            }),
          })}
        </span>
      )}
    </div>
  );
}
