import { useState } from "react";
import { useTranslations } from "use-intl";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Trash2 } from "../ui/icons.generated.ts";
import { TextField } from "../ui/text-field.tsx";
import type { SavedStatement } from "./statement-store.ts";

interface SavedDialogProps {
  /** The text of the editor, which can be saved. */
  readonly text: string;
  readonly saved: readonly SavedStatement[];
  readonly onChange: (saved: readonly SavedStatement[]) => void;
  readonly onChoose: (text: string) => void;
  readonly onClose: () => void;
}

/** The statements that a person has named in this browser. */
export function SavedDialog({ text, saved, onChange, onChoose, onClose }: SavedDialogProps) {
  const t = useTranslations("sql");
  const words = useTranslations("manage");
  const [name, setName] = useState("");
  const wanted = name.trim();
  const others = (taken: string) => saved.filter((one) => one.name !== taken);
  const replaces = others(wanted).length < saved.length;
  return (
    <Dialog title={t("saved")} closeLabel={words("close")} onClose={onClose} isWide>
      {text.trim() !== "" && (
        <form
          className="grid gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (wanted === "") return;
            const next = [...others(wanted), { name: wanted, text }];
            onChange(next.sort((one, other) => one.name.localeCompare(other.name)));
            setName("");
          }}
        >
          <TextField
            label={t("saveAs")}
            name="name"
            autoComplete="off"
            value={name}
            onChange={setName}
            hint={t(replaces ? "replacesSaved" : "savedHere")}
          />
          <div>
            <Button type="submit">{words("save")}</Button>
          </div>
        </form>
      )}
      {saved.length === 0 && <p className="text-ink-2">{t("noneSaved")}</p>}
      <ul className="grid gap-3">
        {saved.map((one) => (
          <li key={one.name} className="grid gap-1">
            <span className="flex items-center justify-between gap-2">
              <span dir="auto" className="min-w-0 font-medium wrap-anywhere">
                {one.name}
              </span>
              <IconButton
                label={t("deleteSaved", { name: one.name })}
                icon={Trash2}
                onPress={() => onChange(others(one.name))}
              />
            </span>
            <StatementButton text={one.text} onChoose={onChoose} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** A statement that a press puts into the editor. */
export function StatementButton(props: {
  readonly text: string;
  readonly onChoose: (text: string) => void;
}) {
  return (
    <button
      type="button"
      className="w-full rounded-control border border-line bg-surface px-2.5 py-1.5 text-left hover:bg-sunken"
      onClick={() => props.onChoose(props.text)}
    >
      <span className="line-clamp-3 font-mono text-2 wrap-anywhere whitespace-pre-wrap">
        {props.text}
      </span>
    </button>
  );
}
