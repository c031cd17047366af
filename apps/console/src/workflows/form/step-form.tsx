import { useMemo, useRef } from "react";
import { useTranslations } from "use-intl";
import { isEqual } from "../../records/model/is-equal.ts";
import { LockedFields } from "../../shell/managed.tsx";
import type { JsonObject } from "../model/definition.ts";
import type { DefinitionFault } from "../model/faults.ts";
import { isWithin } from "../model/pointer.ts";
import type { StepKind } from "../parts/kinds-query.ts";
import { FaultLines } from "./field-frame.tsx";
import { type FormPlace, FormProvider } from "./form-context.ts";
import { type FormField, fieldsOf } from "./form-field.ts";
import { FormFields } from "./form-fields.tsx";
import { pointerTo, withMembers } from "./members.ts";
import { useFieldFocus } from "./use-field-focus.ts";
import { useScope } from "./use-scope.ts";

interface StepFormProps {
  readonly kind: StepKind;
  readonly value: JsonObject;
  readonly onChange: (next: JsonObject) => void;
  /** With pointers from the step. */
  readonly faults: readonly DefinitionFault[];
  /** The pointer of the field that takes the focus. */
  readonly field: string | undefined;
  readonly isLocked: boolean;
  readonly place: FormPlace;
}

/** The fields of a step, from the JSON Schema of its kind. A member that nobody changes stays as it is. */
export function StepForm(props: StepFormProps) {
  const { kind, value, onChange, faults, field, isLocked, place } = props;
  const t = useTranslations("workflowForm");
  const fields = useMemo(() => fieldsOf(kind.schema), [kind.schema]);
  const root = useRef<HTMLDivElement>(null);
  const findScope = useScope(place);
  const change = (changes: JsonObject) => onChange(withMembers(value, changes));
  const common = fields.filter(({ name, isCommon }) => isCommon && name !== "id");
  const own = fields.filter((one) => !common.includes(one));
  useFieldFocus(root, field);
  const shared = { pointer: "", value, onChange: change };
  const isGiven = ({ name, default: usual }: FormField) =>
    value[name] !== undefined && (usual === undefined || !isEqual(value[name], usual));
  const isNamed = ({ name }: FormField) => {
    const pointer = pointerTo("", name);
    const isAsked = field !== undefined && isWithin(field, pointer);
    return isAsked || faults.some(({ path }) => isWithin(path, pointer));
  };
  const isOpen = common.some((one) => isGiven(one) || isNamed(one));
  return (
    <FormProvider value={{ place, isLocked, value, change, faults, findScope, Fields: FormFields }}>
      <div ref={root} className="grid gap-4">
        <LockedFields isLocked={isLocked}>
          <FaultLines faults={faults.filter(({ path }) => path === "")} />
          <FormFields
            {...shared}
            fields={own}
            hidden={["kind", ...common.map(({ name }) => name)]}
          />
          {common.length > 0 && (
            <details open={isOpen} className="group border-line border-t pt-2">
              <summary className="w-fit cursor-default rounded-control py-1 pr-2 font-medium text-ink-2 hover:text-ink">
                {t("common")}
              </summary>
              <div className="grid gap-4 pt-2">
                <FormFields {...shared} fields={common} hidden={Object.keys(value)} />
              </div>
            </details>
          )}
        </LockedFields>
      </div>
    </FormProvider>
  );
}
