import { useRef } from "react";
import { IconButton } from "../../ui/icon-button.tsx";
import { Plus, X } from "../../ui/icons.generated.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import { TextEditor } from "../editors/text-editor.tsx";
import type { ValueColumn } from "../values/value-kind.ts";
import { useFilterWords } from "./filter-words.ts";

interface ArraysEditorProps {
  /** A column of arrays. */
  readonly column: ValueColumn;
  readonly operand: unknown;
  readonly onChange: (operand: unknown) => void;
}

/** Several arrays, each in a line of its own with commas between its elements. */
export function ArraysEditor({ column, operand, onChange }: ArraysEditorProps) {
  const { t } = useFilterWords();
  const isAdded = useRef(false);
  const arrays: readonly unknown[] = Array.isArray(operand) ? operand : [];
  return (
    <fieldset aria-label={t("arrays")} className="grid gap-1">
      {arrays.map((array, index) => {
        const label = t("array", { position: index + 1 });
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the arrays have no identity, and keep their order
          <div key={index} className="flex min-w-0 items-start gap-0.5">
            <div className="min-w-0 flex-1">
              <TextEditor
                isOperand
                autoFocus={isAdded.current && index === arrays.length - 1}
                column={{ ...column, name: label, label }}
                value={array}
                onChange={(next) => onChange(arrays.with(index, next))}
              />
            </div>
            {arrays.length > 1 && (
              <IconButton
                label={t("removeArray", { position: index + 1 })}
                icon={X}
                onPress={() => onChange(arrays.toSpliced(index, 1))}
              />
            )}
          </div>
        );
      })}
      <div>
        <ToolButton
          onClick={() => {
            isAdded.current = true;
            onChange([...arrays, []]);
          }}
        >
          <Plus size={14} aria-hidden="true" />
          {t("addArray")}
        </ToolButton>
      </div>
    </fieldset>
  );
}
