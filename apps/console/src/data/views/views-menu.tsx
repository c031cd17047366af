import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Dialog, Popover } from "react-aria-components";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { useFailureText } from "../../shell/failure-text.ts";
import { classes } from "../../ui/classes.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { ArrowDown, ArrowUp, Bookmark, Pencil, Trash2 } from "../../ui/icons.generated.ts";
import { Notice } from "../../ui/notice.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { RowsView } from "../page/use-rows-view.ts";
import {
  type Definition,
  definitionOf,
  isUnchanged,
  type SavedView,
  searchOf,
} from "./view-definition.ts";

/** The person's saved views of the table: open, save, update, rename, order, delete. */
export function ViewsMenu({ view }: { readonly view: RowsView }) {
  const t = useTranslations("views");
  const describe = useFailureText();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState("");
  const [renamed, setRenamed] = useState<string | null>(null);
  const [asked, ask] = useState<SavedView>();
  const saved = useSavedViews(view.resource.id);
  const { search } = view;
  const current = saved.views.find(({ id }) => id === search.view);
  const isChanged = current !== undefined && !isUnchanged(search, current);
  const isLost = current !== undefined && current.lost.length > 0;
  const show = (one: SavedView) => {
    view.change({ ...searchOf(one), open: search.open }, true);
    setOpen(false);
  };
  const save = () =>
    saved.save(name.trim(), definitionOf(search), ({ id }) => {
      setName("");
      view.change({ view: id });
    });
  return (
    <>
      <ToolButton ref={button} kind="bare" aria-expanded={isOpen} onClick={() => setOpen(true)}>
        <Bookmark size={15} aria-hidden="true" />
        <span className="max-w-40 truncate" dir="auto">
          {current?.name ?? t("views")}
        </span>
        {isChanged && <span className="text-ink italic">{t("changed")}</span>}
      </ToolButton>
      <Popover
        isOpen={isOpen}
        triggerRef={button}
        placement="bottom end"
        onOpenChange={setOpen}
        className="w-84 max-w-[calc(100vw-16px)] rounded-panel border border-line-strong bg-surface text-3 text-ink"
      >
        <Dialog
          aria-label={t("views")}
          className="grid max-h-110 gap-2 overflow-auto p-3 outline-none"
        >
          {saved.views.length === 0 && <p className="text-ink-2">{t("none")}</p>}
          <ul>
            {saved.views.map((one, index) => (
              <li key={one.id} className="flex min-h-8 items-center gap-1">
                {renamed === one.id ? (
                  <NameForm
                    label={t("rename", { name: one.name })}
                    name={one.name}
                    submit={t("save")}
                    onSubmit={(next) => {
                      setRenamed(null);
                      if (next !== one.name) saved.update(one.id, { name: next });
                    }}
                  />
                ) : (
                  <>
                    <button
                      type="button"
                      aria-current={one.id === search.view ? "true" : undefined}
                      onClick={() => (one.lost.length === 0 ? show(one) : ask(one))}
                      className={classes(
                        "min-h-7 min-w-0 flex-1 truncate rounded-control px-1.5 text-left hover:bg-sunken",
                        one.id === search.view && "bg-accent-soft font-medium",
                      )}
                    >
                      <span dir="auto">{one.name}</span>{" "}
                      {one.lost.length > 0 && (
                        <span className="ms-1 text-2 text-danger">{t("lost")}</span>
                      )}
                    </button>
                    <IconButton
                      label={t("moveUp", { name: one.name })}
                      icon={ArrowUp}
                      isSmall
                      isDisabled={index === 0}
                      onPress={() => saved.move(one.id, -1)}
                    />
                    <IconButton
                      label={t("moveDown", { name: one.name })}
                      icon={ArrowDown}
                      isSmall
                      isDisabled={index === saved.views.length - 1}
                      onPress={() => saved.move(one.id, 1)}
                    />
                    <IconButton
                      label={t("rename", { name: one.name })}
                      icon={Pencil}
                      isSmall
                      onPress={() => setRenamed(one.id)}
                    />
                    <IconButton
                      label={t("delete", { name: one.name })}
                      icon={Trash2}
                      isSmall
                      onPress={() => remove(one)}
                    />
                  </>
                )}
              </li>
            ))}
          </ul>
          {asked !== undefined && (
            <Notice kind="info">
              <div className="grid justify-items-start gap-2">
                <p dir="auto">
                  {t("lostText", {
                    name: asked.name,
                    fields: asked.lost.map(({ field }) => field).join(", "),
                  })}
                </p>
                <ToolButton onClick={() => show(asked)}>
                  {t("openLost", { name: asked.name })}
                </ToolButton>
              </div>
            </Notice>
          )}
          {current !== undefined && (isChanged || isLost) && (
            <ToolButton
              onClick={() => saved.update(current.id, { definition: definitionOf(search) })}
            >
              <span className="truncate" dir="auto">
                {t("update", { name: current.name })}
              </span>
            </ToolButton>
          )}
          <form
            className="flex gap-2 border-line border-t pt-2"
            onSubmit={(event) => {
              event.preventDefault();
              if (name.trim() !== "") save();
            }}
          >
            <input
              aria-label={t("name")}
              placeholder={t("name")}
              value={name}
              maxLength={100}
              onChange={(event) => setName(event.target.value)}
              className="h-7 min-w-0 flex-1 rounded-control border border-line-input bg-surface px-2 placeholder:text-ink-3"
            />
            <ToolButton disabled={name.trim() === "" || saved.isBusy} onClick={save}>
              {t("saveAs")}
            </ToolButton>
          </form>
          {saved.error !== null && <Notice kind="danger">{describe(saved.error)}</Notice>}
        </Dialog>
      </Popover>
    </>
  );

  function remove(one: SavedView): void {
    saved.remove(one.id, () => {
      if (one.id === search.view) view.change({ view: undefined });
    });
  }
}

function NameForm(props: {
  readonly label: string;
  readonly name: string;
  readonly submit: string;
  readonly onSubmit: (name: string) => void;
}) {
  const [name, setName] = useState(props.name);
  const place = (element: HTMLInputElement | null) => element?.focus();
  return (
    <form
      className="flex min-w-0 flex-1 gap-1"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "") props.onSubmit(name.trim());
      }}
    >
      <input
        ref={place}
        aria-label={props.label}
        value={name}
        maxLength={100}
        onChange={(event) => setName(event.target.value)}
        className="h-7 min-w-0 flex-1 rounded-control border border-line-input bg-surface px-1.5"
      />
      <button type="submit" className="h-7 rounded-control px-2 hover:bg-sunken">
        {props.submit}
      </button>
    </form>
  );
}

/** The person's saved views of a resource, and what changes them. */
function useSavedViews(resourceId: string) {
  const cache = useQueryClient();
  const queryKey = ["saved-views", resourceId];
  const { data: views = [], error } = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await client.app.get("/saved-views", { query: { resourceId }, signal })).data,
  });
  const task = useMutation({
    mutationFn: (work: () => Promise<void>) => work(),
    onSettled: () => cache.invalidateQueries({ queryKey }),
  });
  const run = (work: () => Promise<void>) => task.mutate(work);
  return {
    views,
    error: task.error ?? error,
    isBusy: task.isPending,
    save: (name: string, definition: Definition, onSaved: (view: SavedView) => void) =>
      run(async () => {
        const data = { resourceId, name, definition };
        onSaved((await client.app.post("/saved-views", { data })).data);
      }),
    update: (id: string, data: { readonly name?: string; readonly definition?: Definition }) =>
      run(async () => {
        await client.app.patch("/saved-views/{id}", { path: { id }, data });
      }),
    remove: (id: string, onRemoved: () => void) =>
      run(async () => {
        await client.app.delete("/saved-views/{id}", { path: { id } });
        onRemoved();
      }),
    /** Moves a view by one place. All positions are written, because new views can share one. */
    move: (id: string, by: -1 | 1) =>
      run(async () => {
        const order = views.map((view) => view.id);
        const from = order.indexOf(id);
        const to = Math.max(0, Math.min(order.length - 1, from + by));
        order.splice(to, 0, ...order.splice(from, 1));
        for (const [position, one] of order.entries()) {
          if (views.find((view) => view.id === one)?.position === position) continue;
          await client.app.patch("/saved-views/{id}", { path: { id: one }, data: { position } });
        }
      }),
  };
}
