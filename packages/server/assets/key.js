/* The key of a reader above the operations: in memory, and in this browser if they ask for that. Plain JavaScript of a browser. */

/** Where Swagger UI keeps credentials. */
const STORED = 'authorized';
/** More fields are no header: then there is the dialog alone. */
const MAX_FIELDS = 2;

/** Whether a reader asked for it, the last time. */
export const isKeyKept = () => localStorage.getItem(STORED) !== null;

/** Whether a credential is one text. A page cannot send a cookie that it chooses. */
export const isText = (scheme) =>
  (scheme.type === 'http' && scheme.scheme?.toLowerCase() === 'bearer') || (scheme.type === 'apiKey' && scheme.in !== 'cookie');

export const keyPlugin = ({ React }) => {
  const element = React.createElement;
  let isKept = isKeyKept();
  const AuthorizeBtnContainer = (Original) =>
    function Keys(props) {
      const { authActions, authSelectors, getComponent, specSelectors } = props;
      const [isChecked, setChecked] = React.useState(isKept);
      const schemes = [...(specSelectors.securityDefinitions() ?? new Map()).entries()];
      const texts = schemes.filter(([, scheme]) => isText(scheme.toJS()));
      if (texts.length === 0 || texts.length > MAX_FIELDS) return element(Original, props);
      const enter = (name, schema, value) =>
        value === ''
          ? authActions.logoutWithPersistOption([name])
          : authActions.authorizeWithPersistOption({ [name]: { name, schema, value } });
      const keep = (isAsked) => {
        isKept = isAsked;
        setChecked(isAsked);
        authActions.persistAuthorizationIfNeeded();
      };
      const field = ([name, schema]) =>
        element(
          'label',
          { key: name, className: 'docs-key' },
          element('span', null, texts.length === 1 ? 'Key' : name),
          element('input', {
            type: 'password',
            autoComplete: 'off',
            placeholder: schema.get('scheme') ?? schema.get('name'),
            value: authSelectors.authorized().getIn([name, 'value']) ?? '',
            onChange: ({ target }) => enter(name, schema, target.value.trim()),
          }),
        );
      const box = element('input', { type: 'checkbox', checked: isChecked, onChange: ({ target }) => keep(target.checked) });
      const Popup = getComponent('authorizationPopup', true);
      return element(
        React.Fragment,
        null,
        ...texts.map(field),
        element('label', { className: 'docs-keep' }, box, ' Keep in this browser'),
        // Other schemes are in the dialog; a lock of an operation opens it, too.
        texts.length < schemes.length ? element(Original, props) : authSelectors.shownDefinitions() && element(Popup),
      );
    };
  /** In place of Swagger UI's, which asks its configuration, and that is read once. */
  const persistAuthorizationIfNeeded =
    (_, { authSelectors }) =>
    () => {
      if (isKept) localStorage.setItem(STORED, JSON.stringify(authSelectors.authorized().toJS()));
      else localStorage.removeItem(STORED);
    };
  return { wrapComponents: { AuthorizeBtnContainer }, statePlugins: { auth: { wrapActions: { persistAuthorizationIfNeeded } } } };
};
