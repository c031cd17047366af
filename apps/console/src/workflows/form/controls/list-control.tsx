import { useId, useRef } from "react";
import { useTranslations } from "use-intl";
import { isObject } from "../../../records/filter/read-where.ts";
import { useSecretNames } from "../../../secrets/secret-requests.ts";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Plus, X } from "../../../ui/icons.generated.ts";
import { ToolButton } from "../../../ui/tool-button.tsx";
import { type ControlProps, controlClasses } from "../control-props.ts";
import { ExpressionField } from "../expression-field.tsx";
import { choicesOf, itemsOf } from "../form-field.ts";
import { jsonText, readNumberText } from "../json-text.ts";
import { pointerTo, withItem } from "../members.ts";
import { useTypedText } from "../unread-texts.ts";
import { ValueField } from "../value-field.tsx";
import { useChoiceText } from "./choice-controls.tsx";
import { focusLater } from "./entries.tsx";

/** A list: words to choose from, cases, or values of one type. */
export function ListControl(props: ControlProps) {
  const items = itemsOf(props.field.schema);
  if (choicesOf(items).length > 0) return <WordList {...props} words={choicesOf(items)} />;
  if (items.type === "object") return <CasesControl {...props} />;
  return <ItemList {...props} />;
}

function WordList(props: ControlProps & { readonly words: readonly string[] }) {
  const { field, value, onChange, words } = props;
  const textOf = useChoiceText();
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [];
  return (
    <div className="flex flex-wrap gap-x-5">
      {words.map((word) => (
        <Checkbox
          key={word}
          label={textOf(field.name, word)}
          isChecked={chosen.includes(word)}
          onChange={(isChosen) =>
            onChange(isChosen ? [...chosen, word] : chosen.filter((one) => one !== word))
          }
        />
      ))}
    </div>
  );
}

function ItemList(props: ControlProps) {
  const { label, field, pointer, value, onChange } = props;
  const t = useTranslations("workflowForm.list");
  const rows = useRef<HTMLDivElement>(null);
  const items = itemsOf(field.schema);
  const isOne = typeof value === "string";
  const list: readonly unknown[] = isOne ? [value] : Array.isArray(value) ? value : [];
  const write = (next: readonly unknown[]) => {
    const [only] = next;
    if (next.length === 0 && !field.isRequired) onChange(undefined);
    // A single text stays one.
    else if (isOne && next.length === 1 && typeof only === "string") onChange(only);
    else onChange(next);
  };
  const add = () => {
    // The default is a list of its own, which the first item begins with.
    const base = value === undefined && Array.isArray(field.default) ? field.default : list;
    write([...base, items.type === "integer" ? 0 : ""]);
    focusLater(() => rows.current?.lastElementChild, "[data-item]");
  };
  return (
    <div className="grid gap-1">
      <div ref={rows} className="grid gap-1 empty:hidden">
        {list.map((item, index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is the identity
            key={index}
            data-pointer={isOne ? pointer : pointerTo(pointer, index)}
            className="grid grid-cols-[minmax(0,1fr)_28px] items-start gap-1"
          >
            <div data-item className="min-w-0">
              <Item
                label={t("item", { label, position: index + 1 })}
                control={String(items["x-control"] ?? (isText(field.name) ? "template" : "text"))}
                isNumber={items.type === "integer"}
                pointer={pointerTo(pointer, index)}
                describedBy={props.describedBy}
                value={item}
                onChange={(next) => write(withItem(list, index, next))}
              />
            </div>
            <IconButton
              label={t("remove", { label, position: index + 1 })}
              icon={X}
              onPress={() => write(withItem(list, index, undefined))}
            />
          </div>
        ))}
      </div>
      {value === undefined && Array.isArray(field.default) && field.default.length > 0 && (
        <p className="text-2 text-ink-2">{t("default", { items: field.default.join(", ") })}</p>
      )}
      <ToolButton
        kind="bare"
        className="justify-self-start"
        aria-label={t("addTo", { label })}
        onClick={add}
      >
        <Plus size={14} aria-hidden="true" />
        {t("add")}
      </ToolButton>
    </div>
  );
}

/** The lists whose items may have templates. */
function isText(name: string): boolean {
  return name === "to" || name === "attachments";
}

interface ItemProps {
  readonly label: string;
  readonly control: string;
  readonly isNumber: boolean;
  readonly pointer: string;
  readonly describedBy: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function Item(props: ItemProps) {
  const { label, control, describedBy, value, onChange } = props;
  if (props.isNumber) return <NumberItem {...props} />;
  if (control === "secret") return <SecretItem {...props} />;
  const text = typeof value === "string" ? value : "";
  if (control === "template") {
    return (
      <ExpressionField
        kind="TEMPLATE"
        isLine
        label={label}
        describedBy={describedBy}
        text={text}
        onChange={onChange}
      />
    );
  }
  return (
    <input
      aria-label={label}
      aria-describedby={describedBy}
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={({ target }) => onChange(target.value)}
      className={controlClasses}
    />
  );
}

function NumberItem({ label, pointer, value, onChange }: ItemProps) {
  const draft = useTypedText({
    ...{ pointer, value, onChange },
    print: jsonText,
    read: readNumberText,
  });
  return (
    <input
      aria-label={label}
      aria-invalid={draft.isUnread}
      inputMode="numeric"
      autoComplete="off"
      value={draft.text}
      onChange={({ target }) => draft.type(target.value)}
      className={`${controlClasses} max-w-40 tabular-nums`}
    />
  );
}

function SecretItem({ label, describedBy, value, onChange }: ItemProps) {
  const t = useTranslations("workflowForm.secret");
  const listId = useId();
  const names = useSecretNames();
  const text = typeof value === "string" ? value : "";
  const isMissing = names !== undefined && text !== "" && !names.includes(text);
  return (
    <>
      <input
        aria-label={label}
        aria-describedby={describedBy}
        list={listId}
        autoComplete="off"
        spellCheck={false}
        value={text}
        placeholder={t("choose")}
        onChange={({ target }) => onChange(target.value)}
        className={`${controlClasses} font-mono text-2`}
      />
      <datalist id={listId}>
        {(names ?? []).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {isMissing && <p className="text-2 text-warn">{t("missing", { name: text })}</p>}
    </>
  );
}

const forms = ["TEXT", "NUMBER", "BOOLEAN", "NULL"] as const;

/** The cases of a switch: the value of each. Their steps are in the tree. */
function CasesControl({ label, pointer, describedBy, value, onChange }: ControlProps) {
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
