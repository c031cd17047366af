import { type ReactNode, useId, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { isObject } from "../../../records/filter/read-where.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Plus, X } from "../../../ui/icons.generated.ts";
import { ToolButton } from "../../../ui/tool-button.tsx";
import type { JsonObject } from "../../model/definition.ts";
import { controlClasses } from "../control-props.ts";
import { FaultLines } from "../field-frame.tsx";
import { useFaults } from "../form-context.ts";
import { pointerTo, renameMember } from "../members.ts";

interface EntriesProps {
  readonly label: string;
  readonly pointer: string;
  readonly value: unknown;
  readonly onChange: (value: JsonObject) => void;
  /** What a new entry begins with. */
  readonly first: unknown;
  /** Names that are offered while one is typed. */
  readonly names?: readonly string[];
  /** Below a name: its type. */
  readonly noteOf?: (name: string) => string | undefined;
  readonly children: (entry: {
    readonly label: string;
    readonly name: string;
    readonly pointer: string;
    readonly value: unknown;
    readonly onChange: (value: unknown) => void;
  }) => ReactNode;
}

/** The members of an object, each with its name and its value. A name that is empty or used stays a draft. */
export function Entries(props: EntriesProps) {
  const { label, pointer, value, onChange, first, names = [], noteOf } = props;
  const t = useTranslations("workflowForm.entries");
  const listId = useId();
  const last = useRef<HTMLDivElement>(null);
  const [isAdding, setAdding] = useState(false);
  const object = isObject(value) ? value : {};
  const entries = Object.entries(object);
  const add = (name: string) => {
    setAdding(false);
    onChange({ ...object, [name]: first });
    focusLater(() => last.current?.lastElementChild, "[data-entry-value]");
  };
  return (
    <div className="grid min-w-0 gap-1.5">
      <div ref={last} className="grid min-w-0 gap-1.5 empty:hidden">
        {entries.map(([name, inner], index) => (
          <div
            // A row keeps its inputs while its name changes.
            // biome-ignore lint/suspicious/noArrayIndexKey: names change while they are typed
            key={index}
            data-pointer={pointerTo(pointer, name)}
            className="grid min-w-0 gap-1"
          >
            <div className="grid min-w-0 grid-cols-[minmax(0,2fr)_minmax(0,5fr)_28px] items-start gap-1 max-sm:grid-cols-[minmax(0,1fr)_28px]">
              <NameInput
                label={t("name", { label, position: index + 1 })}
                name={name}
                listId={listId}
                taken={entries.map(([one]) => one)}
                note={noteOf?.(name)}
                onRename={(next) => onChange(renameMember(object, name, next))}
              />
              <div data-entry-value className="min-w-0 max-sm:col-start-1">
                {props.children({
                  label: t("value", { label, name }),
                  name,
                  pointer: pointerTo(pointer, name),
                  value: inner,
                  onChange: (next) => onChange({ ...object, [name]: next }),
                })}
              </div>
              <IconButton
                label={t("remove", { label, name })}
                icon={X}
                onPress={() => onChange(withoutMember(object, name))}
              />
            </div>
            <EntryFaults pointer={pointerTo(pointer, name)} />
          </div>
        ))}
      </div>
      {isAdding && (
        <NameInput
          label={t("newName", { label })}
          name=""
          listId={listId}
          taken={entries.map(([one]) => one)}
          note={undefined}
          autoFocus
          onRename={add}
          onLeave={() => setAdding(false)}
        />
      )}
      <div className="flex flex-wrap gap-1">
        <ToolButton kind="bare" aria-label={t("addTo", { label })} onClick={() => setAdding(true)}>
          <Plus size={14} aria-hidden="true" />
          {t("add")}
        </ToolButton>
      </div>
      <datalist id={listId}>
        {names
          .filter((name) => !Object.hasOwn(object, name))
          .map((name) => (
            <option key={name} value={name} />
          ))}
      </datalist>
    </div>
  );
}

function EntryFaults({ pointer }: { readonly pointer: string }) {
  return <FaultLines faults={useFaults(pointer)} />;
}

function NameInput(props: {
  readonly label: string;
  readonly name: string;
  readonly listId: string;
  readonly taken: readonly string[];
  readonly note: string | undefined;
  readonly autoFocus?: boolean;
  readonly onRename: (name: string) => void;
  readonly onLeave?: () => void;
}) {
  const { label, name, listId, taken, note, onRename, onLeave } = props;
  const t = useTranslations("workflowForm.entries");
  const [typed, setTyped] = useState<string>();
  const shown = typed ?? name;
  const isTaken = shown !== name && taken.includes(shown);
  const commit = () => {
    if (typed !== undefined && typed !== "" && typed !== name && !isTaken) onRename(typed);
    else onLeave?.();
    if (!isTaken) setTyped(undefined);
  };
  return (
    <div className="grid min-w-0 gap-0.5">
      <input
        aria-label={label}
        aria-invalid={isTaken}
        list={listId}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="auto"
        // The person pressed the button that adds an entry.
        // biome-ignore lint/a11y/noAutofocus: it follows the press
        autoFocus={props.autoFocus === true}
        value={shown}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.nativeEvent.isComposing) {
            event.preventDefault();
            commit();
          }
          if (event.key === "Escape" && typed !== undefined) {
            event.stopPropagation();
            setTyped(undefined);
            onLeave?.();
          }
        }}
        className={`${controlClasses} font-mono text-2`}
      />
      {isTaken && (
        <p role="alert" className="text-2 text-danger">
          {t("taken")}
        </p>
      )}
      {note !== undefined && <code className="truncate px-1 text-1 text-ink-3">{note}</code>}
    </div>
  );
}

function withoutMember(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([one]) => one !== name));
}

/** Gives the focus to the first input of an element that the next rendering shows, once its editor is loaded. */
export function focusLater(find: () => Element | null | undefined, selector: string): void {
  let left = 60;
  const attempt = () => {
    const place = find()?.querySelector(selector);
    const input = place?.querySelector<HTMLElement>(
      "input, select, textarea, .cm-content[contenteditable=true]",
    );
    const isLoaded = place?.querySelector(".cm-content, input, textarea") != null;
    if (isLoaded) input?.focus();
    else if (left-- > 0) requestAnimationFrame(attempt);
  };
  requestAnimationFrame(attempt);
}
