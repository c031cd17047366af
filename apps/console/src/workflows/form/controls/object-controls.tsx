import { useTranslations } from "use-intl";
import { isObject } from "../../../records/filter/read-where.ts";
import { Checkbox } from "../../../ui/checkbox.tsx";
import type { JsonObject } from "../../model/definition.ts";
import { constantsOf, variantOf, variantsOf } from "../control-fits.ts";
import { type ControlProps, controlClasses, inputAttributes } from "../control-props.ts";
import { useForm } from "../form-context.ts";
import { fieldsOf } from "../form-field.ts";
import { withMembers } from "../members.ts";

const boxClasses = "grid min-w-0 gap-3 border-accent-line border-l-2 pl-3";

/** Retries: whether a failed attempt is repeated, and how. */
export function RetryControl(props: ControlProps) {
  const t = useTranslations("workflowForm");
  return <OptionalObject {...props} label={t("retry")} initial={{ attempts: 3 }} />;
}

/** Whether agents find the workflow as a tool, and how they find it described. */
export function ToolControl(props: ControlProps) {
  const t = useTranslations("workflowForm");
  return <OptionalObject {...props} label={t("tool")} initial={{ description: "" }} />;
}

/** An object that is absent until a box is checked. */
function OptionalObject(props: ControlProps & { readonly initial: JsonObject }) {
  const { label, initial, field, pointer, value, onChange } = props;
  const { Fields } = useForm();
  const object = isObject(value) ? value : undefined;
  return (
    <div className="grid gap-2">
      <Checkbox
        label={label}
        isChecked={object !== undefined}
        onChange={(isOn) => onChange(isOn ? initial : undefined)}
      />
      {object !== undefined && (
        <div className={boxClasses}>
          <Fields
            fields={fieldsOf(field.schema)}
            pointer={pointer}
            value={object}
            onChange={(changes) => onChange(withMembers(object, changes))}
          />
        </div>
      )}
    </div>
  );
}

/** One of several kinds of object, each with its own fields, or none. */
export function VariantControl(props: ControlProps) {
  const { field, pointer, value, onChange } = props;
  const t = useTranslations("workflowForm");
  const { Fields } = useForm();
  const variants = variantsOf(field.schema);
  const object = isObject(value) ? value : undefined;
  const variant = object === undefined ? undefined : variantOf(object, field.schema);
  const choose = (index: number) => {
    const chosen = variants[index];
    onChange(chosen === undefined ? undefined : variantValue(chosen, object));
  };
  return (
    <div className="grid gap-2">
      <select
        {...inputAttributes(props)}
        value={variant === undefined ? "" : String(variants.indexOf(variant))}
        onChange={({ target }) => choose(target.value === "" ? -1 : Number(target.value))}
        className={`${controlClasses} max-w-80`}
      >
        <option value="">{t("none")}</option>
        {variants.map((one, index) => (
          <option key={JSON.stringify(constantsOf(one))} value={String(index)}>
            {String(one.title ?? "")}
          </option>
        ))}
      </select>
      {object !== undefined && variant !== undefined && (
        <div className={boxClasses}>
          <Fields
            fields={fieldsOf(variant).filter(
              ({ name }) => !Object.hasOwn(constantsOf(variant), name),
            )}
            pointer={pointer}
            value={object}
            hidden={Object.keys(constantsOf(variant))}
            onChange={(changes) => onChange(withMembers(object, changes))}
          />
        </div>
      )}
    </div>
  );
}

/** A new object of a kind, with the values of the former one that it has too. */
function variantValue(variant: JsonObject, before: JsonObject | undefined): JsonObject {
  const constants = constantsOf(variant);
  const filled = fieldsOf(variant).flatMap(({ name, isRequired, schema }) => {
    if (Object.hasOwn(constants, name)) return [];
    const kept = before?.[name];
    if (kept !== undefined) return [[name, kept] as const];
    return isRequired ? [[name, schema.type === "array" ? [""] : ""] as const] : [];
  });
  return { ...constants, ...Object.fromEntries(filled) };
}

const words = ["fail", "continue", "steps"] as const;

/** What happens when the step fails. Its steps are in the tree. */
export function OnErrorControl(props: ControlProps) {
  const { value, onChange } = props;
  const t = useTranslations("workflowForm.onError");
  const steps = isObject(value) && Array.isArray(value.steps) ? value.steps : undefined;
  const present = steps !== undefined ? "steps" : value === "continue" ? "continue" : "fail";
  const hasSteps = steps !== undefined && steps.length > 0;
  return (
    <>
      <select
        {...inputAttributes(props)}
        value={present}
        // Steps that exist are removed in the tree, where they can be seen.
        disabled={hasSteps}
        onChange={({ target }) => {
          if (target.value === present) return;
          onChange(target.value === "steps" ? { steps: [] } : target.value);
        }}
        className={`${controlClasses} max-w-80`}
      >
        {words.map((word) => (
          <option key={word} value={word}>
            {t(word)}
          </option>
        ))}
      </select>
      {steps !== undefined && (
        <p className="text-2 text-ink-2">{t("inTree", { count: steps.length })}</p>
      )}
    </>
  );
}
