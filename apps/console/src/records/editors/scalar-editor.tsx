import { useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { Combobox } from "../../ui/combobox.tsx";
import { EmptyMark } from "../../ui/empty-mark.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Calendar, Download, Upload } from "../../ui/icons.generated.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import { valueText } from "../values/show-value.ts";
import { valueKindOf } from "../values/value-kind.ts";
import { useWays } from "../values/ways.ts";
import { editText, typedValue, UnreadText } from "./draft.ts";
import { EditorFault, type EditorProps, useEditorParts } from "./editor-props.tsx";
import { IntervalEditor } from "./interval-editor.tsx";
import { JsonEditor } from "./json-editor.tsx";
import { placeholderOf, TextEditor } from "./text-editor.tsx";

/** The editor of one value that is no list and no range. */
export function ScalarEditor(props: EditorProps) {
  switch (valueKindOf(props.column)) {
    case "ENUM":
    case "BOOLEAN":
      return <ChoiceEditor {...props} />;
    case "DATE":
    case "TIME":
    case "TIMESTAMP":
    case "INSTANT":
      return <TimeEditor {...props} />;
    case "INTERVAL":
      return <IntervalEditor {...props} />;
    case "JSON":
      return <JsonEditor {...props} />;
    case "BYTES":
      return <BytesEditor {...props} />;
    default:
      return typeof props.value === "object" && props.value !== null && isDocument(props.value) ? (
        <JsonEditor {...props} />
      ) : (
        <TextEditor {...props} />
      );
  }
}

/** Whether a value is a composite one or a map, which JSON shows best. */
function isDocument(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype;
}

/** Dates and times: typed as people write them, or chosen in the browser's calendar. The zone of an instant is named. */
function TimeEditor(props: EditorProps) {
  const { column, value, onChange, isCell = false } = props;
  const t = useTranslations("values");
  const ways = useWays();
  const picker = useRef<HTMLInputElement>(null);
  const kind = valueKindOf(column);
  const hasDate = kind !== "TIME";
  const text = value instanceof UnreadText ? "" : editText(column, value, ways);
  const picked =
    kind === "DATE"
      ? text.slice(0, 10)
      : kind === "TIME"
        ? text.slice(0, 5)
        : text.replace(" ", "T");
  return (
    <div
      className={isCell ? "flex size-full items-center" : "min-w-0"}
      onKeyDownCapture={(event) => {
        if (event.key !== "ArrowDown" || !event.altKey || event.isDefaultPrevented()) return;
        event.preventDefault();
        picker.current?.showPicker();
      }}
    >
      <div className={isCell ? "flex size-full items-center" : "relative flex items-start gap-1"}>
        <div className="h-full min-w-0 flex-1">
          <TextEditor {...props} />
        </div>
        <input
          ref={picker}
          type={kind === "DATE" ? "date" : kind === "TIME" ? "time" : "datetime-local"}
          tabIndex={-1}
          aria-hidden="true"
          value={picked}
          onChange={(event) => {
            if (event.target.value === "") return;
            const next = event.target.value.replace("T", " ");
            onChange(typedValue(column, next, ways));
          }}
          className="pointer-events-none absolute right-0 bottom-0 size-0 opacity-0"
        />
        <IconButton
          label={t(hasDate ? "calendar" : "clock")}
          icon={Calendar}
          isSmall={isCell}
          fieldKey="Alt+ArrowDown"
          onPress={() => picker.current?.showPicker()}
        />
      </div>
    </div>
  );
}

const optionsMax = 200;

/** A label of an enum, or yes and no: the typed text finds it. */
function ChoiceEditor(props: EditorProps) {
  const { column, value, onChange, onCommit, onCancel, isCell = false, autoFocus = false } = props;
  const t = useTranslations("values");
  const ways = useWays();
  const [typed, setTyped] = useState<string | null>(props.typed ?? null);
  const parts = useEditorParts(props, typed !== null);
  const isBoolean = valueKindOf(column) === "BOOLEAN";
  const values: readonly unknown[] = isBoolean ? [true, false] : (column.values ?? []);
  const choices = values.map((one) => ({ value: one, label: valueText(column, one, ways) }));
  const current = value instanceof UnreadText ? value.text : valueText(column, value, ways);
  const search = (typed ?? "").trim().toLowerCase();
  const found = choices.filter(({ label }) => label.toLowerCase().includes(search));
  const noneId = "none";
  const options = found.slice(0, optionsMax).map(({ value: one, label }) => ({
    id: `value ${String(one)}`,
    label,
  }));
  const isNoneOffered = column.nullable && search === "";
  const choose = (id: string) => {
    setTyped(null);
    onChange(
      id === noneId ? null : choices.find((one) => `value ${String(one.value)}` === id)?.value,
    );
    if (isCell) onCommit?.();
  };
  const leave = () => {
    if (typed === null) return;
    setTyped(null);
    const [only] = found;
    const exact = found.find(({ label }) => label.toLowerCase() === search);
    if (search === "" && column.nullable) onChange(null);
    else if (exact !== undefined) onChange(exact.value);
    else if (found.length === 1 && only !== undefined) onChange(only.value);
    else onChange(new UnreadText(typed, t("choiceFault")));
  };
  return (
    <div className={isCell ? "relative size-full" : "min-w-0"}>
      <Combobox
        id={parts.inputId}
        label={parts.label}
        text={typed ?? current}
        onText={setTyped}
        options={
          isNoneOffered
            ? [{ id: noneId, label: <EmptyMark text={t("none")} /> }, ...options]
            : options
        }
        chosen={value === null ? noneId : `value ${String(value)}`}
        onChoose={choose}
        onCommit={
          onCommit === undefined
            ? undefined
            : () => {
                leave();
                onCommit();
              }
        }
        onCancel={onCancel}
        onLeave={leave}
        message={
          found.length === 0
            ? t("noChoice")
            : found.length > optionsMax
              ? t("moreChoices", { count: found.length - optionsMax })
              : undefined
        }
        placeholder={placeholderOf(props, t)}
        inputClassName={parts.inputClassName}
        describedBy={parts.describedBy}
        isInvalid={parts.fault !== undefined}
        autoFocus={autoFocus}
      />
      <EditorFault id={parts.faultId} text={parts.fault} isCell={isCell} />
    </div>
  );
}

/** Bytes: chosen as a file, pasted as a file, saved as a file. */
function BytesEditor(props: EditorProps) {
  const { column, value, onChange, onCommit, onCancel, isCell = false, autoFocus = false } = props;
  const t = useTranslations("values");
  const ways = useWays();
  const parts = useEditorParts(props);
  const button = useRef<HTMLButtonElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    if (autoFocus) button.current?.focus();
  }, [autoFocus]);
  const take = (file: File | undefined) => {
    if (file === undefined) return;
    setFailure(undefined);
    readBase64(file).then(
      (base64) => {
        onChange(base64);
        onCommit?.();
      },
      () => setFailure(t("fileFault")),
    );
  };
  const title = column.label ?? column.name;
  return (
    <fieldset
      aria-label={title}
      className={isCell ? "relative flex size-full items-center px-1" : "min-w-0"}
      onPaste={(event) => {
        const file = event.clipboardData.files[0];
        if (file === undefined) return;
        event.preventDefault();
        take(file);
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || onCancel === undefined) return;
        event.preventDefault();
        onCancel();
      }}
    >
      <div className="flex min-w-0 items-center gap-2">
        <ToolButton
          ref={button}
          id={parts.inputId}
          aria-label={t("chooseFile", { name: title })}
          aria-describedby={parts.describedBy}
          className={isCell ? "h-6" : undefined}
          onClick={() => input.current?.click()}
        >
          <Upload size={14} aria-hidden="true" />
          {t("file")}
        </ToolButton>
        <input
          ref={input}
          type="file"
          tabIndex={-1}
          aria-hidden="true"
          className="hidden"
          onChange={(event) => take(event.target.files?.[0])}
        />
        <span className="truncate text-ink-2">
          {typeof value === "string" ? valueText(column, value, ways) : placeholderOf(props, t)}
        </span>
        {typeof value === "string" && (
          <IconButton
            label={t("saveFile", { name: title })}
            icon={Download}
            isSmall={isCell}
            onPress={() => saveBase64(value, column.name)}
          />
        )}
      </div>
      <EditorFault id={parts.faultId} text={failure ?? parts.fault} isCell={isCell} />
    </fieldset>
  );
}

async function readBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  // `fromCharCode` takes a limited number of arguments.
  for (let at = 0; at < bytes.length; at += 32_768) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  }
  return btoa(binary);
}

function saveBase64(base64: string, name: string): void {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  // Bytes of nobody's choice of type: the browser saves them and runs nothing.
  const url = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${name}.bin`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
