/** Saves a file as a download of the browser. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the content when the press was handled.
  setTimeout(() => URL.revokeObjectURL(url));
}

/** Returns the name of a file for a table. Separators of paths and signs that Windows refuses become underscores. */
export function fileName(name: string, ending: string): string {
  const safe = name.replace(/[\\/:*?"<>|\p{Cc}\p{Cf}]/gu, "_");
  return `${safe}.${ending}`;
}

const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

/** Returns a number of bytes in the unit that people read, as the options of a number format. */
export function fileSize(bytes: number): {
  readonly number: number;
  readonly options: {
    readonly style: "unit";
    readonly unit: string;
    maximumFractionDigits: number;
  };
} {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return {
    number: bytes / 1000 ** step,
    options: {
      style: "unit",
      unit: units[step] ?? "byte",
      maximumFractionDigits: step === 0 ? 0 : 1,
    },
  };
}
