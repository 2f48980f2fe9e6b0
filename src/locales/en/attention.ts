/** What the toolbar button and notifications say. The worker says these itself: plain `{name}` placeholders only, see src/attention/words.ts. */
export const attention = {
  "attention.badge.questions": "Moggy – questions that wait for your answer: {n}",
  "attention.badge.errors": "Moggy – errors in the log that you have not seen: {n}",
  "attention.question.title": "“{name}” asks for your permission",
  "attention.question.host": "It wants to reach {host}, and goes on without it for now. Click to answer.",
  "attention.question.text": "It goes on without it for now. Click to answer.",
} as const;
