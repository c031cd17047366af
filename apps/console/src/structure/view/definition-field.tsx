import { useId, useRef } from "react";
import { useTranslations } from "use-intl";
import { describedBy, Field } from "../../ui/field.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { faultPlace } from "./fault-place.ts";

interface DefinitionFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly faults: readonly string[];
}

/** The SELECT of a view. A fault that names its place leads to it. */
export function DefinitionField({ value, onChange, faults }: DefinitionFieldProps) {
  const t = useTranslations("viewEditor");
  const id = useId();
  const place = useRef<HTMLTextAreaElement>(null);
  const [fault] = faults;
  const found = fault === undefined ? undefined : faultPlace(value, fault);
  return (
    <Field
      id={id}
      label={t("definition")}
      hint={t("definitionHint")}
      fault={faults.length === 0 ? undefined : faults.join(" · ")}
      aside={
        found !== undefined && (
          <ToolButton
            kind="bare"
            onClick={() => {
              place.current?.focus();
              place.current?.setSelectionRange(found.from, found.to);
            }}
          >
            {t("goToFault")}
          </ToolButton>
        )
      }
    >
      <bdi className="grid">
        <textarea
          {...describedBy(id, t("definitionHint"), fault)}
          ref={place}
          id={id}
          value={value}
          rows={12}
          spellCheck={false}
          autoCapitalize="none"
          dir="ltr"
          onChange={(event) => onChange(event.target.value)}
          className="w-full min-w-0 resize-y rounded-control border border-line-input bg-surface p-2.5 font-mono text-2 leading-5 text-ink aria-invalid:border-danger"
        />
      </bdi>
    </Field>
  );
}
