import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { ConfirmTask } from "../shell/confirm-task.tsx";
import { Listing } from "../shell/listing.tsx";
import {
  ManagedMark,
  type ManagedRecord,
  useManagedLock,
  useManagedQuestion,
} from "../shell/managed.tsx";
import { MissingPage } from "../shell/message-page.tsx";
import { renew } from "../shell/renew.ts";
import { SearchField } from "../shell/search-field.tsx";
import { useListing } from "../shell/use-listing.ts";
import { useTask } from "../shell/use-task.ts";
import { useTitle } from "../shell/use-title.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Entries, Entry } from "../ui/entries.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import { useFieldTexts, useKindTexts } from "./kind-texts.ts";
import { RecordDialog } from "./record-dialog.tsx";
import { type DrawnKind, factsOf, type ListedKind, listedKinds } from "./record-facts.ts";
import { FieldBadges } from "./record-fields.tsx";
import { type RecordOf, recordRequests } from "./record-requests.ts";

const route = getRouteApi("/frame/admin/settings/records/$kind");

type AnyRecord = RecordOf<DrawnKind>;

/** The records of a simple kind: its list, and what can be done with each. */
export function KindPage() {
  const { kind } = route.useParams();
  const found = listedKinds.find((one) => one.kind === kind);
  return found === undefined ? <MissingPage isInFrame /> : <Records key={kind} of={found} />;
}

/** Returns what people call a record: its first text. */
function nameOf(kind: DrawnKind, record: AnyRecord): string {
  const [first] = factsOf(kind).filter(({ type }) => type !== "flag");
  return textOf(record, first?.name ?? "");
}

function textOf(record: AnyRecord, field: string): string {
  return String((record as Readonly<Record<string, unknown>>)[field] ?? "");
}

function recordOf({ part, key }: ListedKind, record: AnyRecord): ManagedRecord {
  return { part: part as ManagedRecord["part"], names: [textOf(record, key)] };
}

function useRenewedList({ kind }: ListedKind): () => Promise<void> {
  const cache = useQueryClient();
  return () => renew(cache, { queryKey: ["records", kind] });
}

function Records({ of }: { readonly of: ListedKind }) {
  const { kind } = of;
  const texts = useKindTexts();
  const t = (text: Parameters<typeof texts>[1]) => texts(kind, text);
  const { search } = route.useSearch();
  const navigate = route.useNavigate();
  const [editing, edit] = useState<AnyRecord | "new">();
  const [deleting, startDelete] = useState<AnyRecord>();
  const { ask, question } = useManagedQuestion();
  useTitle(t("title"));
  const filters = search === undefined ? {} : { search };
  const listing = useListing(["records", kind, filters], (page, signal) =>
    recordRequests(kind).list({ ...filters, ...page }, signal),
  );
  return (
    <>
      <p className="max-w-200 text-ink-2">{t("text")}</p>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <SearchField
          label={t("search")}
          value={search}
          onChange={(text) => void navigate({ search: { search: text }, replace: true })}
        />
        <ToolButton kind="primary" onClick={() => edit("new")}>
          {t("add")}
        </ToolButton>
      </div>
      <Listing
        listing={listing}
        isFiltered={search !== undefined}
        empty={<EmptyState title={t("empty")} />}
      >
        {(records) => (
          <Entries>
            {records.map((record) => (
              <RecordEntry
                key={record.id}
                of={of}
                record={record}
                onEdit={() => edit(record)}
                onDelete={() => ask([recordOf(of, record)], () => startDelete(record))}
              />
            ))}
          </Entries>
        )}
      </Listing>
      {editing !== undefined && (
        <EditDialog
          of={of}
          record={editing === "new" ? undefined : editing}
          title={t("add")}
          onClose={() => edit(undefined)}
        />
      )}
      {question}
      {deleting !== undefined && (
        <DeleteDialog of={of} record={deleting} onClose={() => startDelete(undefined)} />
      )}
    </>
  );
}

function RecordEntry(props: {
  readonly of: ListedKind;
  readonly record: AnyRecord;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}) {
  const { of, record } = props;
  const { kind } = of;
  const account = useTranslations("account.tokens");
  const words = useTranslations("manage");
  const textsOf = useFieldTexts(kind);
  const name = nameOf(kind, record);
  const texts = factsOf(kind).filter(({ type }) => type !== "flag");
  const facts = texts.slice(1).flatMap(({ name: field, choices }) => {
    const value = textOf(record, field);
    const shown = choices === undefined ? value : (textsOf(field, value) ?? value);
    return value === "" ? [] : [`${textsOf(field, "label") ?? field}: ${shown}`];
  });
  const labelOf = (action: string) => account("actionOf", { action, name });
  return (
    <Entry
      name={
        <>
          <span dir="auto">{name}</span>
          <ManagedMark {...recordOf(of, record)} />
          <FieldBadges kind={kind} record={record} />
        </>
      }
      facts={facts}
      actions={
        <>
          <ToolButton aria-label={labelOf(words("edit"))} onClick={props.onEdit}>
            {words("edit")}
          </ToolButton>
          <ToolButton kind="danger" aria-label={labelOf(words("delete"))} onClick={props.onDelete}>
            {words("delete")}
          </ToolButton>
        </>
      }
    />
  );
}

interface DialogProps {
  readonly of: ListedKind;
  readonly onClose: () => void;
}

function EditDialog(
  props: DialogProps & { readonly record: AnyRecord | undefined; readonly title: string },
) {
  const { of, record, title, onClose } = props;
  const t = useTranslations("recordPage");
  const onSaved = useRenewedList(of);
  const { part, names } =
    record === undefined
      ? { part: of.part as ManagedRecord["part"], names: [] }
      : recordOf(of, record);
  return (
    <RecordDialog
      kind={of.kind}
      title={record === undefined ? title : t("editTitle", { name: nameOf(of.kind, record) })}
      record={record}
      lock={useManagedLock(part, names)}
      onSaved={onSaved}
      onClose={onClose}
    />
  );
}

function DeleteDialog({ of, record, onClose }: DialogProps & { readonly record: AnyRecord }) {
  const t = useTranslations("recordPage");
  const onChange = useRenewedList(of);
  const task = useTask(async () => {
    try {
      await recordRequests(of.kind).remove(record.id);
    } finally {
      await onChange();
    }
    onClose();
  }, []);
  return (
    <ConfirmTask
      title={t("deleteTitle", { name: nameOf(of.kind, record) })}
      task={task}
      onClose={onClose}
    >
      {t("deleteText")}
    </ConfirmTask>
  );
}
