/** The tag that makes markup, once it is bound to what makes elements. */
declare const htm: {
  bind(h: (...parts: any[]) => any): (texts: TemplateStringsArray, ...values: any[]) => any;
};
export default htm;
