import { type ControlProps, controlClasses, inputAttributes } from "../control-props.ts";
import { ExpressionField } from "../expression-field.tsx";

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
