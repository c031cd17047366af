import { useRef } from "react";
import { useTranslations } from "use-intl";
import { isObject } from "../../../records/filter/read-where.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Plus, X } from "../../../ui/icons.generated.ts";
import { ToolButton } from "../../../ui/tool-button.tsx";
import type { ControlProps } from "../control-props.ts";
import { pointerTo, withItem } from "../members.ts";
import { ValueField } from "../value-field.tsx";
import { focusLater } from "./entries.tsx";

const forms = ["TEXT", "NUMBER", "BOOLEAN", "NULL"] as const;

/** The cases of a switch: the value of each. Their steps are in the tree. */
export function CasesControl({ label, pointer, describedBy, value, onChange }: ControlProps) {
  const t = useTranslations("workflowForm.cases");
  const rows = useRef<HTMLDivElement>(null);
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return (
    <div className="grid gap-1">
      <div ref={rows} className="grid gap-1 empty:hidden">
        {list.map((item, index) => {
          const one = isObject(item) ? item : {};
          const count = Array.isArray(one.steps) ? one.steps.length : 0;
          const at = pointerTo(pointerTo(pointer, index), "equals");
          return (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: the place is the identity
              key={index}
              data-pointer={pointerTo(pointer, index)}
              className="grid grid-cols-[minmax(0,1fr)_auto_28px] items-start gap-2"
            >
              <div data-item className="min-w-0">
                <ValueField
                  label={t("equals", { label, position: index + 1 })}
                  pointer={at}
                  describedBy={describedBy}
                  value={one.equals}
                  onChange={(next) => onChange(withItem(list, index, { ...one, equals: next }))}
                  forms={forms}
                />
              </div>
              <span className="text-2 leading-7.5 text-ink-2">{t("steps", { count })}</span>
              {count === 0 ? (
                <IconButton
                  label={t("remove", { position: index + 1 })}
                  icon={X}
                  onPress={() => onChange(withItem(list, index, undefined))}
                />
              ) : (
                <span />
              )}
            </div>
          );
        })}
      </div>
      <ToolButton
        kind="bare"
        className="justify-self-start"
        onClick={() => {
          onChange([...list, { equals: "", steps: [] }]);
          focusLater(() => rows.current?.lastElementChild, "[data-item]");
        }}
      >
        <Plus size={14} aria-hidden="true" />
        {t("add")}
      </ToolButton>
    </div>
  );
}
