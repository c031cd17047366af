import { type KeyboardEvent, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { EmptyMark } from "../../ui/empty-mark.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { ArrowDown, ArrowUp, Plus, X } from "../../ui/icons.generated.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import { elementOf, hasEmptyText } from "../values/value-kind.ts";
import { UnreadList, UnreadText } from "./draft.ts";
import { EditorFault, type EditorProps, useEditorParts } from "./editor-props.tsx";
import { ScalarEditor } from "./scalar-editor.tsx";

/** A list: items are added, removed and moved, by the keyboard too (Enter adds, Alt with an arrow moves). */
export function ListEditor(props: EditorProps) {
  const { column, value, onChange, autoFocus = false } = props;
  const t = useTranslations("values");
  const parts = useEditorParts(props);
  const list = useRef<HTMLOListElement>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const ids = useRef<number[]>([]);
  const items: readonly unknown[] =
    value instanceof UnreadList ? value.items : Array.isArray(value) ? value : [];
  // Items have no identity of their own; a number for each keeps what is typed with its item when they move.
  while (ids.current.length < items.length) ids.current.push(nextId());
  const element = { ...elementOf(column), label: null };

  const emit = (next: readonly unknown[]) => {
    const unread = next.findIndex((item) => item instanceof UnreadText);
    const fault = next[unread];
    if (!(fault instanceof UnreadText)) return onChange(next);
    onChange(
      new UnreadList(next, t("fault.element", { position: unread + 1, fault: fault.fault })),
    );
  };
  const insert = (index: number) => {
    ids.current.splice(index, 0, nextId());
    emit(items.toSpliced(index, 0, hasEmptyText(element) ? "" : null));
    setFocused(index);
  };
  const remove = (index: number) => {
    ids.current.splice(index, 1);
    emit(items.toSpliced(index, 1));
    setFocused(Math.max(0, index - 1));
  };
  const move = (from: number, to: number) => {
    if (to < 0 || to >= items.length) return;
    const [id = nextId()] = ids.current.splice(from, 1);
    ids.current.splice(to, 0, id);
    emit(items.toSpliced(from, 1).toSpliced(to, 0, items[from]));
  };
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const { key } = event;
    if (event.altKey && (key === "ArrowUp" || key === "ArrowDown")) {
      move(index, index + (key === "ArrowUp" ? -1 : 1));
    } else if (key === "Backspace" && (items[index] === "" || items[index] === null)) remove(index);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <fieldset aria-label={column.label ?? column.name}>
      <ol ref={list} className="grid gap-1">
        {items.map((item, index) => (
          // The keys belong to the fields inside.
          <li
            key={ids.current[index]}
            className="flex items-start gap-0.5"
            onKeyDownCapture={(event) => onKeyDown(event, index)}
          >
            <div className="min-w-0 flex-1">
              <ScalarEditor
                column={{ ...element, label: t("item", { position: index + 1 }) }}
                value={item}
                onChange={(next) => emit(items.with(index, next))}
                onCommit={() => insert(index + 1)}
                onCancel={props.onCancel}
                autoFocus={focused === index || (autoFocus && focused === null && index === 0)}
              />
            </div>
            <IconButton
              label={t("up", { position: index + 1 })}
              icon={ArrowUp}
              fieldKey="Alt+ArrowUp"
              isDisabled={index === 0}
              onPress={() => move(index, index - 1)}
            />
            <IconButton
              label={t("down", { position: index + 1 })}
              icon={ArrowDown}
              fieldKey="Alt+ArrowDown"
              isDisabled={index === items.length - 1}
              onPress={() => move(index, index + 1)}
            />
            <IconButton
              label={t("remove", { position: index + 1 })}
              icon={X}
              fieldKey="Backspace"
              onPress={() => remove(index)}
            />
          </li>
        ))}
      </ol>
      <div
        className={items.length === 0 ? "flex items-center gap-2" : "mt-1 flex items-center gap-2"}
      >
        <ToolButton
          id={parts.inputId}
          onClick={() => insert(items.length)}
          aria-describedby={parts.describedBy}
        >
          <Plus size={14} aria-hidden="true" />
          {t("addItem")}
        </ToolButton>
        {(value === null || value === undefined) && (
          <EmptyMark isInline text={t(value === null ? "none" : "default")} />
        )}
        {Array.isArray(value) && items.length === 0 && <EmptyMark isInline text={t("emptyList")} />}
      </div>
      <EditorFault id={parts.faultId} text={parts.fault} isCell={false} />
    </fieldset>
  );
}

let last = 0;

function nextId(): number {
  last += 1;
  return last;
}
