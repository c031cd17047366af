import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { fileLinkQuery, publicAddress } from "../../records/library/file-link.ts";
import { FileBadges } from "../../records/library/file-picture.tsx";
import { fileQuery, filesKey } from "../../records/library/file-queries.ts";
import { type FileRecord, mayUpdate } from "../../records/library/file-record.ts";
import { useFileWords } from "../../records/library/use-file-words.ts";
import { recordTitle } from "../../records/model/record-title.ts";
import { keyOf, titleOf } from "../../records/model/resource.ts";
import { useOwnWays } from "../../records/values/ways.ts";
import { AppLink } from "../../shell/app-link.tsx";
import { ConfirmTask } from "../../shell/confirm-task.tsx";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { Moment } from "../../shell/moment.tsx";
import { type Navigation, type NavigationResource, resourcePath } from "../../shell/navigation.ts";
import { useTask } from "../../shell/use-task.ts";
import { linkClasses } from "../../ui/classes.ts";
import { inputClasses } from "../../ui/field.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Copy, X } from "../../ui/icons.generated.ts";
import { Notice } from "../../ui/notice.tsx";
import { PanelHead, SidePanel } from "../../ui/side-panel.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { useCopied } from "../../ui/use-copied.ts";
import { FileActions, type FileUse, useFileWrite, usesQuery } from "./file-actions.tsx";
import { FileForm } from "./file-form.tsx";
import { FilePreview } from "./file-preview.tsx";

interface FilePanelProps {
  readonly id: string;
  readonly resource: NavigationResource;
  readonly navigation: Navigation;
  /** Whether there are folders into which it can move. */
  readonly mayMove: boolean;
  readonly onClose: () => void;
}

/** One file beside the list: what is in it, what is known of it, and what the person may do with it. */
export function FilePanel({ id, resource, navigation, mayMove, onClose }: FilePanelProps) {
  const t = useTranslations("files");
  const words = useFileWords();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(fileQuery(resource, id));
  const onChanged = () => queries.invalidateQueries({ queryKey: filesKey });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.isDefaultPrevented()) return;
    event.preventDefault();
    onClose();
  };
  const { file, etag } = data ?? {};
  return (
    <SidePanel label={t("details.panel")} onKeyDown={onKeyDown}>
      <PanelHead title={file === undefined ? t("details.panel") : words.name(file)}>
        {file !== undefined && <FileBadges file={file} />}
        <IconButton label={t("details.close")} icon={X} onPress={onClose} />
      </PanelHead>
      <div className="grid min-h-0 flex-1 auto-rows-max content-start gap-5 overflow-auto p-4">
        {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Skeleton label={t("details.panel")} rows={8} />}
        {data === null && <Notice kind="info">{t("details.missing")}</Notice>}
        {file !== undefined && (
          <>
            <FilePreview file={file} />
            <FileActions
              {...{ file, etag, resource, navigation }}
              mayMove={mayMove && mayUpdate(resource, "folder_id")}
              onDeleted={onClose}
            />
            <FileForm resource={resource} file={file} onChanged={onChanged} />
            <VisibilitySection resource={resource} file={file} etag={etag} />
            <FileUses file={file} resource={resource} navigation={navigation} />
            <FileFacts file={file} />
          </>
        )}
      </div>
    </SidePanel>
  );
}

/** What the service knows of a file, as far as the person may read it. */
function FileFacts({ file }: { readonly file: FileRecord }) {
  const t = useTranslations("files.details");
  const words = useFileWords();
  const { media_type: type, claimed_type: claimed, width, height, sha256, id } = file;
  const moment = (at: string | undefined) => (at === undefined ? undefined : <Moment at={at} />);
  const code = (text: string) => <code className="font-mono text-2 wrap-anywhere">{text}</code>;
  const isClaim = claimed !== null && claimed !== undefined && claimed !== type;
  const facts: readonly (readonly [label: string, value: ReactNode])[] = [
    [t("mediaType"), type],
    [t("claimedType"), isClaim ? claimed : undefined],
    [t("size"), words.sizeOf(file)],
    [
      t("dimensions"),
      typeof width === "number" && typeof height === "number"
        ? t("pixels", { width, height })
        : undefined,
    ],
    [t("createdAt"), moment(file.created_at)],
    [t("updatedAt"), moment(file.updated_at)],
    [t("sha256"), typeof sha256 === "string" ? code(sha256) : undefined],
    [t("id"), code(id)],
  ];
  return (
    <PanelSection title={t("facts")}>
      <dl className="grid grid-cols-[minmax(0,116px)_minmax(0,1fr)] gap-x-2 gap-y-1.5">
        {facts
          .filter(([, value]) => value !== undefined && value !== null)
          .map(([label, value]) => (
            <div key={label} className="contents">
              <dt className="text-ink-2">{label}</dt>
              <dd className="min-w-0 wrap-anywhere">
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
      </dl>
    </PanelSection>
  );
}

/** The rows that refer to a file, each with a link to it. */
function FileUses(props: {
  readonly file: FileRecord;
  readonly resource: NavigationResource;
  readonly navigation: Navigation;
}) {
  const { file, resource, navigation } = props;
  const t = useTranslations("files.details");
  const { data, error, refetch } = useQuery(usesQuery(resource, navigation, file.id));
  return (
    <PanelSection title={t("uses")}>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton label={t("uses")} rows={2} />}
      {data?.length === 0 && <p className="text-ink-2">{t("noUses")}</p>}
      {data?.map((use) => (
        <Use key={`${use.target.id} ${use.relation.name}`} use={use} />
      ))}
    </PanelSection>
  );
}

function Use({ use }: { readonly use: FileUse }) {
  const t = useTranslations("files.details");
  const format = useFormatter();
  const ways = useOwnWays();
  const { target, rows, where, count } = use;
  const path = resourcePath(target);
  const filter = encodeURIComponent(JSON.stringify(where));
  return (
    <div className="grid gap-0.5">
      <p className="flex items-baseline justify-between gap-3">
        <AppLink
          href={`${path}?where=${filter}`}
          className={`${linkClasses} min-w-0 truncate font-medium`}
          dir="auto"
        >
          {titleOf(target)}
        </AppLink>
        <span className="shrink-0 text-ink-2 tabular-nums">{t("useCount", { count })}</span>
      </p>
      <ul>
        {rows.map((row, index) => {
          const key = keyOf(target, row);
          const text = recordTitle(target, row, ways) ?? key?.join(", ");
          return (
            <li key={key === null ? index : JSON.stringify(key)} className="truncate" dir="auto">
              {text ?? format.number(index + 1)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface VisibilitySectionProps {
  readonly resource: NavigationResource;
  readonly file: FileRecord;
  /** The tag of its row. */
  readonly etag: string | undefined;
}

/** Who may open a file, the address of a public one, and the change with its warning. */
function VisibilitySection({ resource, file, etag }: VisibilitySectionProps) {
  const t = useTranslations("files.visibility");
  const [isAsking, ask] = useState(false);
  const { visibility } = file;
  if (visibility === undefined) return null;
  const isPublic = visibility === "PUBLIC";
  return (
    <PanelSection title={t("title")}>
      <p className="text-ink-2">{t(isPublic ? "publicText" : "privateText")}</p>
      {isPublic && file.state === "READY" && <PublicAddress file={file} />}
      {mayUpdate(resource, "visibility") && (
        <div>
          <ToolButton onClick={() => ask(true)}>{t(isPublic ? "hide" : "publish")}</ToolButton>
        </div>
      )}
      {isAsking && <VisibilityDialog file={file} etag={etag} onClose={() => ask(false)} />}
    </PanelSection>
  );
}

function PublicAddress({ file }: { readonly file: FileRecord }) {
  const t = useTranslations("files.visibility");
  const { data } = useQuery(fileLinkQuery(file.id));
  const { isCopied, copy } = useCopied();
  const address = data === undefined ? "" : publicAddress(data);
  return (
    <div className="flex items-center gap-2">
      <input
        readOnly
        aria-label={t("address")}
        value={address}
        onFocus={({ target }) => target.select()}
        className={`${inputClasses} font-mono text-2`}
      />
      <ToolButton disabled={address === ""} onClick={() => copy(address)}>
        <Copy size={14} aria-hidden="true" />
        <span role="status">{t(isCopied ? "copied" : "copy")}</span>
      </ToolButton>
    </div>
  );
}

function VisibilityDialog(props: {
  readonly file: FileRecord;
  readonly etag: string | undefined;
  readonly onClose: () => void;
}) {
  const t = useTranslations("files.visibility");
  const { name: nameOf } = useFileWords();
  const { file, etag, onClose } = props;
  const { update } = useFileWrite({ id: file.id, etag });
  const name = nameOf(file);
  const isPublic = file.visibility === "PUBLIC";
  const task = useTask(async () => {
    await update({ visibility: isPublic ? "PRIVATE" : "PUBLIC" });
    onClose();
  }, []);
  return (
    <ConfirmTask
      title={t(isPublic ? "hideTitle" : "publishTitle", { name })}
      confirm={t(isPublic ? "hide" : "publish")}
      isHarmless
      task={task}
      onClose={onClose}
    >
      {t(isPublic ? "hideWarning" : "publishWarning")}
    </ConfirmTask>
  );
}

/** A part of the panel under a heading. */
function PanelSection(props: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-2 border-line border-t pt-4">
      <h3 id={id} className="font-semibold">
        {props.title}
      </h3>
      {props.children}
    </section>
  );
}
