import { useTranslations } from "use-intl";
import { IconButton } from "../../ui/icon-button.tsx";
import { CircleSlash2, RotateCcw } from "../../ui/icons.generated.ts";
import { valueKindOf } from "../values/value-kind.ts";
import { UnreadList } from "./draft.ts";
import type { EditorProps } from "./editor-props.ts";
import { ListEditor } from "./list-editor.tsx";
import { RangeEditor } from "./range-editor.tsx";
import { ScalarEditor } from "./scalar-editor.tsx";
import { TextEditor } from "./text-editor.tsx";

interface ValueEditorProps extends EditorProps {
  /** Whether the value is one of a new row, which may leave it to the default of its column. */
  readonly isNew?: boolean;
}

/**
 * The editor of a value by the type of its column. A text that is no value becomes `UnreadText`; nothing that was typed
 * is lost. In a form, buttons beside it set null and the default, which differ from the empty text.
 */
export function ValueEditor({ isNew = false, ...props }: ValueEditorProps) {
  const t = useTranslations("values");
  const { column, value, onChange, isCell = false } = props;
  if (isCell) return <ByKind {...props} />;
  const title = column.label ?? column.name;
  return (
    <div className="flex min-w-0 items-start gap-0.5">
      <div className="min-w-0 flex-1">
        <ByKind {...props} />
      </div>
      {isNew && value !== undefined && (
        <IconButton
          label={t("toDefault", { name: title })}
          icon={RotateCcw}
          onPress={() => onChange(undefined)}
        />
      )}
      {column.nullable && value !== null ? (
        <IconButton
          label={t("toNone", { name: title })}
          icon={CircleSlash2}
          onPress={() => onChange(null)}
        />
      ) : (
        // The right edges of all editors of a form are in one line.
        <span className="w-7 shrink-0" />
      )}
    </div>
  );
}

function ByKind(props: EditorProps) {
  const { column, value, isCell = false } = props;
  const kind = valueKindOf(column);
  if (kind === "RANGE") return <RangeEditor {...props} />;
  if (kind !== "ARRAY") return <ScalarEditor {...props} />;
  return !isCell && isFlat(value) ? <ListEditor {...props} /> : <TextEditor {...props} />;
}

/** Whether a value is a list without lists in it, which an editor of items can show. */
function isFlat(value: unknown): boolean {
  if (value instanceof UnreadList || value === null || value === undefined) return true;
  return Array.isArray(value) && !value.some((item) => typeof item === "object" && item !== null);
}
