/** What the other requests of an account do: categories, photos, keys, messages, the webhook and accounts. */
import type { Answer, ApiKey, Category, ModelRequest, Photo, State } from './state.ts';
import {
  find,
  isMet,
  listed,
  notFound,
  preconditionFailed,
  readAnswer,
  refused,
  replace,
  without,
  type Effect,
  type Rule,
  withRegarded,
} from './store-rules.ts';

const categoryBody = ({ id, name, description }: Category) => (description === null ? { id, name } : { id, name, description });

const changeCategory = (state: State, request: ModelRequest, changes: Partial<Category>): Effect => {
  const category = find(state.categories, request.id);
  if (category === undefined) return notFound(state);
  if (!isMet(request, category.touched)) return preconditionFailed(state);
  const after = { ...category, ...changes };
  const isSame = after.name === category.name && after.description === category.description;
  const changed = { ...after, touched: category.touched || !isSame };
  const answer = { status: 200, body: categoryBody(changed) };
  const withChange = (touched: boolean) => ({ ...state, categories: replace(state.categories, { ...changed, touched }) });
  return withRegarded({ state: withChange(changed.touched), answer }, request, withChange(true));
};

const any = (status: number): Rule => {
  const answer = { status };
  return (state) => ({ state, answer });
};

/** The names of lists of keys and of single ones, without secrets and times. */
const keyAnswer = (status: number, names: string | readonly string[]): Answer => ({ status, body: names });
const addKey = (state: State, key: Pick<ApiKey, 'id' | 'name'>): State => ({
  ...state,
  apiKeys: [...state.apiKeys, { ...key, replaced: false, touched: false }],
});

const photoBody = ({ id, petId, caption }: Photo) => ({ id, petId, caption });
const findPhoto = ({ photos }: State, { id, petId }: ModelRequest) => photos.find((photo) => photo.id === id && photo.petId === petId);

export const ACCOUNT_RULES: Readonly<Record<string, Rule>> = {
  listCategories: (state) => ({ state, answer: listed(state.categories, categoryBody) }),
  createCategory: (state, { body, newId }) => {
    const { name = '', description = null } = body as Partial<Category>;
    const category: Category = { id: newId as number, name, description, touched: false };
    return { state: { ...state, categories: [...state.categories, category] }, answer: { status: 201, body: categoryBody(category) } };
  },
  getCategory: (state, { id, ifNoneMatch }) => {
    const category = find(state.categories, id);
    if (category === undefined) return notFound(state);
    return { state, answer: readAnswer(ifNoneMatch, category.touched, categoryBody(category)) };
  },
  replaceCategory: (state, request) => changeCategory(state, request, { description: null, ...request.body }),
  updateCategory: (state, request) => changeCategory(state, request, request.body),
  deleteCategory: (state, request) => {
    const category = find(state.categories, request.id);
    if (category === undefined) return notFound(state);
    if (!isMet(request, category.touched)) return preconditionFailed(state);
    if (state.pets.some(({ categoryId }) => categoryId === category.id)) return refused(state, 409, 'category_in_use');
    return { state: { ...state, categories: without(state.categories, category.id) }, answer: { status: 204 } };
  },

  listPhotos: (state, { petId }) => {
    if (find(state.pets, petId) === undefined) return notFound(state);
    const found = state.photos.filter((photo) => photo.petId === petId);
    return { state, answer: listed(found, photoBody) };
  },
  createPhoto: (state, { petId, newId, body }) => {
    if (find(state.pets, petId) === undefined) return notFound(state);
    const photo: Photo = { id: newId as number, petId, caption: String(body['caption']), touched: false };
    return { state: { ...state, photos: [...state.photos, photo] }, answer: { status: 201, body: photoBody(photo) } };
  },
  getPhoto: (state, request) => (findPhoto(state, request) === undefined ? notFound(state) : { state, answer: { status: 200 } }),
  deletePhoto: (state, request) => {
    if (findPhoto(state, request) === undefined) return notFound(state);
    return { state: { ...state, photos: without(state.photos, request.id) }, answer: { status: 204 } };
  },

  listKeys: (state) => ({ state, answer: keyAnswer(200, state.apiKeys.map(({ name }) => name).sort()) }),
  createKey: (state, { body, newId }) => {
    const name = String(body['name']);
    return { state: addKey(state, { id: newId as number, name }), answer: keyAnswer(201, name) };
  },
  getKey: (state, { id }) => {
    const key = find(state.apiKeys, id);
    return key === undefined ? notFound(state) : { state, answer: keyAnswer(200, key.name) };
  },
  rotateKey: (state, { id, body, newId }) => {
    const key = find(state.apiKeys, id);
    if (key === undefined) return notFound(state);
    if (key.replaced) return refused(state, 409, 'key_inactive');
    const added = addKey(state, { id: newId as number, name: key.name });
    const apiKeys = body['gracePeriod'] === 0 ? without(added.apiKeys, id) : replace(added.apiKeys, { ...key, replaced: true });
    return { state: { ...added, apiKeys }, answer: keyAnswer(201, key.name) };
  },
  // The account's first key is never revoked, so there always is another one.
  revokeKey: (state, { id }) => {
    if (find(state.apiKeys, id) === undefined) return notFound(state);
    return { state: { ...state, apiKeys: without(state.apiKeys, id) }, answer: { status: 204 } };
  },

  sendMessage: (state, { body, newId }) => {
    const message = String(body['message']);
    return { state: { ...state, messages: { ...state.messages, [newId]: message } }, answer: { status: 202, body: message } };
  },
  getMessage: (state, { body }) => {
    const message = state.messages[String(body['messageId'])];
    return message === undefined ? notFound(state) : { state, answer: { status: 200, body: message } };
  },
  replayMessages: any(200),

  setWebhook: (state, request) => {
    const url = String(request.body['url']);
    if (state.webhook === null && request.ifMatch !== undefined) return preconditionFailed(state);
    if (state.webhook !== null && !isMet(request, state.webhook.touched)) return preconditionFailed(state);
    return { state: { ...state, webhook: { url, touched: true } }, answer: { status: 200, body: url } };
  },
  getWebhook: (state, { ifNoneMatch }) =>
    state.webhook === null ? notFound(state) : { state, answer: readAnswer(ifNoneMatch, state.webhook.touched, state.webhook.url) },
  deleteWebhook: (state, request) => {
    if (state.webhook === null) return notFound(state);
    if (!isMet(request, state.webhook.touched)) return preconditionFailed(state);
    return { state: { ...state, webhook: null }, answer: { status: 204 } };
  },

  createAccount: (state, { body }) => {
    const email = String(body['email']);
    if (state.emails.includes(email)) return refused(state, 409, 'email_taken');
    return { state: { ...state, emails: [...state.emails, email] }, answer: { status: 201, body: email } };
  },
  getAccount: any(200),
  getRateLimit: any(200),
};
