import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useTranslations } from "use-intl";
import { Listing } from "../../shell/listing.tsx";
import type { NavigationResource } from "../../shell/navigation.ts";
import { SearchField } from "../../shell/search-field.tsx";
import { useListing } from "../../shell/use-listing.ts";
import { classes } from "../../ui/classes.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { X } from "../../ui/icons.generated.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import { EditorFault, type EditorProps, useEditorParts } from "../editors/editor-props.tsx";
import { titleOf } from "../model/resource.ts";
import { FileInput, useDropArea } from "./file-input.tsx";
import { pictureTypes } from "./file-kind.ts";
import { FileMark } from "./file-picture.tsx";
import { filesKey, loadFiles, searchFilter } from "./file-queries.ts";
import { type FileRecord, fileFields, mayCreate } from "./file-record.ts";
import { FileSummary } from "./file-summary.tsx";
import { UploadRow } from "./upload-row.tsx";
import { uploadFile, useUploads } from "./uploads.ts";
import { useFileWords } from "./use-file-words.ts";

interface FileEditorProps extends EditorProps {
  /** The table of files. */
  readonly resource: NavigationResource;
}

/**
 * Edits a reference to a file: chosen from the library, or uploaded to it, by a button, by dropping, or in the dialog that
 * chooses. The button that chooses is the only Tab stop.
 */
export function FileEditor(props: FileEditorProps) {
  const { resource, column, value, autoFocus = false } = props;
  const t = useTranslations("files.field");
  const parts = useEditorParts(props);
  const [isChoosing, setChoosing] = useState(false);
  const { upload, task } = useOwnUpload(props.onChange);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (autoFocus) button.current?.focus();
  }, [autoFocus]);
  const name = titleOf(column);
  const isPicture = column.format?.type === "image";
  const mayUpload = mayCreate(resource, "name", "content");
  const { isOver, handlers } = useDropArea(
    mayUpload ? ({ files: [file] }) => file !== undefined && upload(file) : null,
  );
  return (
    <fieldset
      {...handlers}
      aria-label={name}
      className={classes(
        "grid min-w-0 gap-2 rounded-control border p-2",
        isOver ? "border-accent border-dashed bg-accent-soft" : "border-line-input",
      )}
    >
      {typeof value === "string" && (
        <div className="flex min-w-0 items-start justify-between gap-1">
          <FileSummary id={value} resource={resource} />
          {column.nullable && (
            <IconButton
              label={t("remove", { name })}
              icon={X}
              fieldKey="Backspace"
              onPress={() => {
                // The button is gone with the file.
                button.current?.focus();
                props.onChange(null);
              }}
            />
          )}
        </div>
      )}
      {typeof value !== "string" && task === undefined && (
        <p className="text-2 text-ink-2">{t(mayUpload ? "noneOrDrop" : "none")}</p>
      )}
      {task !== undefined && <UploadRow task={task} />}
      <div className="flex flex-wrap items-center gap-2">
        <ToolButton
          ref={button}
          id={parts.inputId}
          aria-label={t("choose", { name })}
          aria-describedby={parts.describedBy}
          onClick={() => setChoosing(true)}
          onKeyDown={(event) => {
            const isRemoval = event.key === "Backspace" || event.key === "Delete";
            if (!isRemoval || !column.nullable || typeof value !== "string") return;
            event.preventDefault();
            props.onChange(null);
          }}
        >
          {t("chooseShort")}
        </ToolButton>
        {mayUpload && (
          <FileInput
            label={t("upload", { name })}
            isSkipped
            accept={isPicture ? pictureTypes.join() : undefined}
            onFiles={([file]) => file !== undefined && upload(file)}
          >
            {t("uploadShort")}
          </FileInput>
        )}
      </div>
      <EditorFault id={parts.faultId} text={parts.fault} isCell={false} />
      {isChoosing && (
        <FileChooser
          resource={resource}
          isPicture={isPicture}
          onChoose={({ id }) => {
            setChoosing(false);
            props.onChange(id);
          }}
          onUpload={
            mayUpload
              ? (file) => {
                  setChoosing(false);
                  upload(file);
                }
              : null
          }
          onClose={() => setChoosing(false)}
        />
      )}
    </fieldset>
  );
}

/** The upload of a field, whose file becomes its value. */
function useOwnUpload(onChange: (fileId: string) => void) {
  const [taskId, setTaskId] = useState<number>();
  const task = useUploads().find(({ id, state }) => id === taskId && state !== "DONE");
  // The form may have other values once the upload ends.
  const latest = useRef(onChange);
  latest.current = onChange;
  const upload = (file: File): void => {
    const { id, result } = uploadFile(file);
    setTaskId(id);
    void result.then((fileId) => {
      if (fileId !== null) latest.current(fileId);
    });
  };
  return { upload, task };
}

interface FileChooserProps {
  /** The table of files. */
  readonly resource: NavigationResource;
  readonly isPicture: boolean;
  readonly onChoose: (file: FileRecord) => void;
  /** Uploads a file in place of the choice; null for a person who may not. */
  readonly onUpload: ((file: File) => void) | null;
  readonly onClose: () => void;
}

/** Chooses a file of the library, the newest first. */
function FileChooser(props: FileChooserProps) {
  const { resource, isPicture, onChoose, onUpload, onClose } = props;
  const t = useTranslations("files");
  const manage = useTranslations("manage");
  const words = useFileWords();
  const { isOver, handlers } = useDropArea(
    onUpload === null ? null : ({ files: [file] }) => file !== undefined && onUpload(file),
  );
  const [search, setSearch] = useState<string>();
  const fields = fileFields(resource);
  const conditions = [
    ...(search === undefined ? [] : [searchFilter(resource, search)]),
    ...(isPicture && fields.includes("media_type") ? [{ media_type: { _in: pictureTypes } }] : []),
  ];
  const where = conditions.length === 0 ? {} : { _and: conditions };
  const orderBy = fields.includes("created_at") ? ["-created_at"] : [];
  const listing = useListing([...filesKey, "choice", { where, orderBy }], (page, signal) =>
    loadFiles(resource, { where, orderBy }, page, signal),
  );
  // Within the form of a record, Enter in the search would save it.
  return createPortal(
    <Dialog title={t("field.chooseTitle")} closeLabel={manage("close")} onClose={onClose} isWide>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <SearchField
          label={t("search")}
          placeholder={t("search")}
          value={search}
          onChange={setSearch}
        />
        {onUpload !== null && (
          <FileInput
            accept={isPicture ? pictureTypes.join() : undefined}
            onFiles={([file]) => file !== undefined && onUpload(file)}
          >
            {t("field.uploadNew")}
          </FileInput>
        )}
        {isPicture && <p className="text-2 text-ink-2">{t("field.onlyPictures")}</p>}
      </div>
      <div
        {...handlers}
        className={classes(
          "grid min-h-80 content-start gap-3 rounded-control",
          isOver && "outline-2 outline-accent outline-dashed",
        )}
      >
        <Listing
          listing={listing}
          isFiltered={search !== undefined}
          empty={<EmptyState title={t("empty")} />}
        >
          {(files) => (
            <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,8.5rem),1fr))] gap-2">
              {files.map((file) => (
                <li key={file.id}>
                  <button
                    type="button"
                    aria-label={t("field.use", { name: words.name(file) })}
                    title={words.name(file)}
                    onClick={() => onChoose(file)}
                    className="grid w-full overflow-hidden rounded-control border border-line text-left hover:border-line-strong hover:bg-sunken focus-visible:outline-offset-[-2px]"
                  >
                    <FileMark file={file} look="aspect-4/3 w-full" iconSize={28} />
                    <span className="truncate px-2 py-1.5" dir="auto">
                      {words.name(file)}
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          )}
        </Listing>
      </div>
    </Dialog>,
    document.body,
  );
}
