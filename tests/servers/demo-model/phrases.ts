/** What the demo model says, in the language it was spoken to. */
export interface Phrases {
  /** Starts every answer in words: nobody may take it for a real model. */
  demo: string;
  using(tool: string): string;
  answered(tool: string, result: string): string;
  failed(tool: string, result: string): string;
  summary: string;
  said(text: string): string;
  before(text: string, turn: number): string;
  tools(names: string): string;
  noTools: string;
}

const ENGLISH: Phrases = {
  demo: "(Demo model, answering by fixed rules.)",
  using: (tool) => `(Demo model.) I will use the tool ${tool} for that.`,
  answered: (tool, result) => `I asked the tool ${tool}, and it answered: ${result}`,
  failed: (tool, result) => `I asked the tool ${tool}, and it reported an error: ${result}`,
  summary: "The sentences that say most of the text:",
  said: (text) => `You wrote: “${text}”`,
  before: (text, turn) => `This is message ${turn} of our conversation; before it you wrote: “${text}”`,
  tools: (names) =>
    `I could use these tools when your words name one: ${names}. For real answers, choose a real model in the options.`,
  noTools: "I was offered no tools. For real answers, choose a real model in the options.",
};

const CHINESE: Phrases = {
  demo: "（演示模型，按固定规则回答。）",
  using: (tool) => `（演示模型。）我会为此使用工具 ${tool}。`,
  answered: (tool, result) => `我调用了工具 ${tool}，它的回答是：${result}`,
  failed: (tool, result) => `我调用了工具 ${tool}，它报告了错误：${result}`,
  summary: "最能概括这段文字的句子：",
  said: (text) => `您写道：“${text}”`,
  before: (text, turn) => `这是我们对话中的第 ${turn} 条消息；上一条您写道：“${text}”`,
  tools: (names) =>
    `当您的话提到工具时，我可以使用这些工具：${names}。要得到真正的回答，请在选项中选择真实的模型。`,
  noTools: "没有提供任何工具。要得到真正的回答，请在选项中选择真实的模型。",
};

/** The phrases for a text's language: Chinese for Chinese, else English. */
export function phrasesFor(chinese: boolean): Phrases {
  return chinese ? CHINESE : ENGLISH;
}
