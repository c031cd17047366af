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
