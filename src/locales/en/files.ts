/** The page that shows the files of the workspace and how much room everything takes. */
export const files = {
  "nav.files": "Files",
  "files.workspace": "Workspace",
  "files.workspaceHint": "What scripts and agents write, and read again.",
  "files.list": "Files of the workspace",
  "files.empty.title": "No files yet",
  "files.empty.text":
    "Scripts that you let use your workspace, and agents that work for you, keep their files here: notes, tables, pictures.",
  "files.emptyFolder": "This folder is empty.",
  "files.openFolder": "Folder {name}",
  "files.openFile": "Show {name}",
  "files.more": "More actions for {name}",
  "files.download": "Download",
  "files.delete": "Delete",
  "files.deleteFile.title": "Delete the file “{name}”?",
  "files.deleteFolder.title": "Delete the folder “{name}”?",
  "files.deleteFile.text": "It has {size}. It cannot be brought back, and scripts that read it find nothing.",
  "files.deleteFolder.text":
    "Everything in it goes too. It cannot be brought back, and scripts that read it find nothing.",

  "files.usage": "Storage",
  "files.used": "{used} of {quota} used",
  "files.usedHint":
    "The browser gives Moggy what the disk has free. Besides these files it counts scripts, conversations and the program itself.",
  "files.area.workspace": "Workspace",
  "files.area.attachments": "Attachments of conversations",
  "files.area.skills": "Skills",
  "files.area.runs": "Histories of runs",
  "files.area.results": "Large results",
  "files.areaUse": "{n, plural, =0 {No files} one {# file} other {# files}} · {size}",
  "files.cleanUp": "Clean up",
  "files.cleanedNothing": "There was nothing to clean up.",
  "files.cleaned":
    "{n, plural, one {# attachment that nobody needs any more was deleted} other {# attachments that nobody needs any more were deleted}}: {size} are free again.",
  "files.cleanedEntries":
    "{n, plural, one {# entry whose file was gone was deleted} other {# entries whose files were gone were deleted}}.",

  "files.preview.tooLarge": "It has {size}, which is too much to show here.",
  "files.preview.kind": "This kind of file cannot be shown here.",
  "files.preview.text": "Text of {name}",
  "files.preview.emptyFile": "This file is empty.",

  "files.failed.list": "The files could not be read",
  "files.failed.usage": "How much room is used could not be found out",
  "files.failed.read": "“{name}” could not be read",
  "files.failed.delete": "“{name}” was not deleted",
  "files.failed.cleanUp": "Nothing was cleaned up",
} as const;
