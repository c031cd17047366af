import { useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { IconButton } from "../../ui/icon-button.tsx";
import { Download, Upload } from "../../ui/icons.generated.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import { valueText } from "../values/show-value.ts";
import { useWays } from "../values/ways.ts";
import { EditorFault } from "./editor-fault.tsx";
import { type EditorProps, useEditorParts } from "./editor-props.ts";

/** Bytes: chosen as a file, pasted as a file, saved as a file. */
export function BytesEditor(props: EditorProps) {
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
          {typeof value === "string"
            ? valueText(column, value, ways)
            : t(value === null ? "none" : "default")}
        </span>
        {typeof value === "string" && (
          <IconButton
            label={t("saveFile", { name: title })}
            icon={Download}
            isSmall={isCell}
            onPress={() => saveBase64(value, title)}
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
