import { type KeyboardEvent, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { FormDialog } from "../shell/form-dialog.tsx";
import { classes } from "../ui/classes.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { Pencil, Plus, X } from "../ui/icons.generated.ts";
import { TextField } from "../ui/text-field.tsx";
import { newTab, type StatementTab } from "./statement-store.ts";

interface StatementTabsProps {
  readonly tabs: readonly StatementTab[];
  readonly active: number | undefined;
  readonly onChange: (tabs: readonly StatementTab[], active: number) => void;
}

/** The texts of the editor as tabs: arrows go from one to the next, F2 renames, Delete closes. */
export function StatementTabs({ tabs, active, onChange }: StatementTabsProps) {
  const t = useTranslations("sql.tabs");
  const list = useRef<HTMLDivElement>(null);
  const [renamed, rename] = useState<StatementTab>();
  const at = tabs.findIndex(({ id }) => id === active);
  const current = tabs[at];
  const nameOf = ({ id, name }: StatementTab) =>
    name === "" ? t("unnamed", { number: id }) : name;
  const go = (index: number) => {
    const tab = tabs[index];
    if (tab === undefined) return;
    onChange(tabs, tab.id);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[index]?.focus();
  };
  const close = () => {
    if (current === undefined) return;
    if (current.text.trim() !== "" && !confirm(t("confirmClose", { name: nameOf(current) })))
      return;
    const left = tabs.filter((tab) => tab !== current);
    const rest = left.length === 0 ? [newTab(tabs)] : left;
    onChange(rest, (rest[Math.min(at, rest.length - 1)] ?? current).id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowRight") go((at + 1) % tabs.length);
    else if (event.key === "ArrowLeft") go((at - 1 + tabs.length) % tabs.length);
    else if (event.key === "F2") rename(current);
    else if (event.key === "Delete") close();
    else return;
    event.preventDefault();
  };
  return (
    <div className="flex min-w-0 items-center gap-1 border-line border-b">
      <div
        ref={list}
        role="tablist"
        aria-label={t("label")}
        onKeyDown={onKeyDown}
        className="-mb-px flex min-w-0 gap-4 overflow-x-auto px-1"
      >
        {tabs.map((tab, index) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            aria-selected={index === at}
            tabIndex={index === at ? 0 : -1}
            dir="auto"
            onClick={() => go(index)}
            onDoubleClick={() => rename(tab)}
            className={classes(
              "h-9 max-w-48 shrink-0 truncate border-b-2 font-medium focus-visible:-outline-offset-2",
              index === at
                ? "border-accent text-ink"
                : "border-transparent text-ink-2 hover:text-ink",
            )}
          >
            {nameOf(tab)}
          </button>
        ))}
      </div>
      <IconButton
        label={t("add")}
        icon={Plus}
        onPress={() => {
          const added = newTab(tabs);
          onChange([...tabs, added], added.id);
        }}
      />
      <span className="flex-1" />
      {current !== undefined && (
        <>
          <IconButton
            label={t("rename", { name: nameOf(current) })}
            icon={Pencil}
            onPress={() => rename(current)}
          />
          <IconButton label={t("close", { name: nameOf(current) })} icon={X} onPress={close} />
        </>
      )}
      {renamed !== undefined && (
        <RenameDialog
          title={t("rename", { name: nameOf(renamed) })}
          name={renamed.name}
          onClose={() => rename(undefined)}
          onRename={(name) =>
            onChange(
              tabs.map((tab) => (tab.id === renamed.id ? { ...tab, name } : tab)),
              renamed.id,
            )
          }
        />
      )}
    </div>
  );
}

const nameMax = 60;

function RenameDialog(props: {
  readonly title: string;
  readonly name: string;
  readonly onRename: (name: string) => void;
  readonly onClose: () => void;
}) {
  const t = useTranslations("sql.tabs");
  const words = useTranslations("manage");
  const [name, setName] = useState(props.name);
  const run = () => {
    props.onRename(name.trim().slice(0, nameMax));
    props.onClose();
  };
  return (
    <FormDialog
      title={props.title}
      task={{ isBusy: false, run, failure: undefined }}
      submit={words("save")}
      onClose={props.onClose}
    >
      <TextField label={t("name")} name="name" autoComplete="off" value={name} onChange={setName} />
    </FormDialog>
  );
}
