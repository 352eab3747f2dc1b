// The AI service of the scale model: ten resources. None of their operations is shown by the source.
import type { Plot } from './admin.ts';
import type { Row } from './rows.ts';

function plot(tag: string, path: string, rows: readonly Row[]): Plot {
  return { tag, path, theme: 'assistant', weight: 1, rows };
}

export const AI: readonly Plot[] = [
  plot('Chat', '/ai/conversations', [
    [
      'post /ai/chat/completions',
      'Answer a conversation',
      'model! messages! tools temperature maxTokens stream',
      'Completion: completionId! model! messages! createdAt!',
    ],
  ]),
  plot('RAG', '/ai/knowledge-bases', [
    [
      'post /ai/rag/query',
      'Answer from the knowledge bases',
      'query! model knowledgeBaseId maxTokens',
      'RagAnswer: message! messages score',
    ],
  ]),
  plot('Documents', '/ai/documents', []),
  plot('Embeddings', '/ai/embedding-jobs', [
    ['post /ai/embeddings', 'Turn a text into a vector', 'prompt! model', 'Embedding: embedding! model!'],
  ]),
  plot('Image Generation', '/ai/images', [
    [
      'post /ai/images/generate',
      'Draw from a description',
      'prompt! quantity dimensions',
      'GeneratedImage: imageId! image createdAt!',
    ],
  ]),
  plot('Semantic Search', '/ai/search-indexes', [
    ['post /ai/search', 'Search by meaning', 'query! locale tags', 'SearchHits: productSnapshot score'],
  ]),
  plot('Agents', '/ai/agents', []),
  plot('Agent Runs', '/ai/agent-runs', []),
  plot('Prompts', '/ai/prompts', []),
  plot('Usage', '/ai/usage-records', []),
];
