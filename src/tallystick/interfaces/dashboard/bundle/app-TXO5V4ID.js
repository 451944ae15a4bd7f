var cp=Object.defineProperty;var E=(e,t,n)=>()=>{if(n)throw n[0];try{return e&&(t=e(e=0)),t}catch(o){throw n=[o],o}};var Ce=(e,t)=>{for(var n in t)cp(e,n,{get:t[n],enumerable:!0})};function wt(e){e&&e.parentNode&&e.remove()}function ha(e,t,n){var o,s,r,i={},l=arguments.length;for(r in t)r=="key"?o=t[r]:r=="ref"&&typeof e!="function"?s=t[r]:i[r]=t[r];return l>2&&(i.children=l>3?gs.call(arguments,2):n),hn(e,i,o,s,null)}function hn(e,t,n,o,s){var r={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:gn,__v:s||++pa,__i:-1,__u:0};return!s&&de.vnode&&de.vnode(r),r}function ct(e){return e.children}function to(e,t){this.props=e,this.context=t,this.__g=0}function lt(e,t){if(t==null)return e.__&&lt(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:lt(e)}function pp(e){var t,n=e.__v,o=n.__e,s=[],r=[],i=e.__P;i&&((t=vt({constructor:gn},n)).__v=n.__v+1,de.vnode&&de.vnode(t),bs(i,t,n,e.__n,i.namespaceURI,32&n.__u?[o]:null,s,o||lt(n),32&n.__u,r),t.__v=n.__v,t.__.__k[t.__i]=t,wa(s,t,r),n.__=n.__e=null,t.__e!=o&&ga(t))}function ga(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),ga(e)}function $s(e){(8&e.__g||(e.__g|=8,it.push(e),oo++))&&ps==de.debounceRendering||((ps=de.debounceRendering)||queueMicrotask)(ba)}function ba(){try{for(var e,t=1;it.length;)it.length>t&&it.sort(fa),e=it.shift(),t=it.length,8&e.__g&&pp(e)}finally{(oo=it.length)&&(ps||queueMicrotask)(ba)}}function ya(e,t,n,o,s,r,i,l,c,d,u){var p,$,f,g,b,C,M=o.__k||ro,y=t.length;for(c=fp(n,t,M,c,y),p=0;p<y;p++)(f=n.__k[p])!=null&&($=~f.__i&&M[f.__i]||so,f.__i=p,C=bs(e,f,$,s,r,i,l,c,d,u),g=f.__e,($.ref!=f.ref||8&$.__u)&&($.ref&&ys($.ref,null,f,$),f.ref&&u.push(f.ref,f.__c||g,f)),b=b||g,4&f.__u?(c=xa(f,c,e,!$.__v),$.__e&&($.__e=null)):typeof f.type=="function"&&C!==void 0?c=C:g&&(c=g.nextSibling),f.__u&=-21);return n.__e=b,c}function fp(e,t,n,o,s){var r,i,l,c,d,u,p,$,f,g=n.length,b=g,C=0,M=0,y=e.__k=Array(s);for(r=0;r<s;r++)(i=t[r])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=y[r]=hn(null,i):hs(i)?i=y[r]=hn(ct,{children:i}):i.constructor===gn&&i.__b?i=y[r]=hn(i.type,i.props,i.key,i.ref,i.__v):y[r]=i,c=r+C,i.__=e,i.__b=e.__b+1,l=null,~(d=i.__i=$p(i,n,c,b))&&(b--,(l=n[d])&&(l.__u|=2)),l&&l.__v?(i.__u|=16,d==c-1?C--:d==c+1?C++:d!=c&&(d>c?C--:C++,M=1)):(~d||(s>g?C--:s<g&&C++),typeof i.type!="function"&&(i.__u|=4))):y[r]=null;if(M){for(u=[],p=[],r=0;r<s;r++)if((i=y[r])&&16&i.__u){for(C=0,$=u.length;C<$;)u[f=C+$>>1]<i.__i?C=f+1:$=f;u[C]=i.__i,p[r]=C+1}for(C=u.length;r--;)p[r]&&(p[r]==C?C--:y[r].__u|=4)}if(b)for(r=0;r<g;r++)!(l=n[r])||2&l.__u||(l.__e==o&&(o=lt(l)),xs(l,l));return o}function xa(e,t,n,o){var s,r,i,l;if(typeof e.type=="function"){if(e.props.__P)return t;if(s=e.__k)for(r=0;r<s.length;r++)s[r]&&(s[r].__=e,t=xa(s[r],t,n,!1));return t}for(t&&!t.parentNode&&(t=lt(e))&&!t.parentNode&&(t=null),i=e.__e,l=t;l&&l.nodeType==8;)l=l.nextSibling;for(i!=l&&(!o&&n.moveBefore&&i.parentNode?n.moveBefore(i,t):n.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function $p(e,t,n,o){var s,r=e.key,i=e.type,l=t[n],c=l&&!(2&l.__u);if(l===null&&r==null||c&&r==l.key&&i==l.type)return n;if(o>(c?1:0)){for(s=n-1;s>=0;s--)if((l=t[s])&&!(2&l.__u)&&r==l.key&&i==l.type)return s;for(s=n+1;s<t.length;s++)if((l=t[s])&&!(2&l.__u)&&r==l.key&&i==l.type)return s}return-1}function ua(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Zn(e,t,n,o,s){var r,i;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||ua(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||ua(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(i=fs[t]||(fs[t]=mp(t)),(e.__a||(e.__a={}))[t]=ms,r=t!=(t=t.replace($a,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,i,r):e.removeEventListener(t,i,r));else{if(s=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function mp(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[eo]==null)t[eo]=ms++;else if(t[eo]<this.__a[e])return;return n(de.event?de.event(t):t)}}}function bs(e,t,n,o,s,r,i,l,c,d){var u,p,$,f,g,b,C,M,y,k,O,V,j,R,B,L,W,J,oe=t.type;if(t.constructor!==gn)return null;128&n.__u&&(c=32&n.__u,u=n.__c.__z)&&(t.__u|=c,p=r=[],u.nodeType==8?l=no(u,r):r.push(u),l=r[0]||l),(u=de.__b)&&u(t);e:if(typeof oe=="function"){$=i.length;try{if(M=t.props,y=(u=oe.prototype)&&u.render,k=(u=oe.contextType)&&o[u.__c],O=u?k?k.props.value:u.__:o,(f=n.__c)?(t.__c=f,2&f.__g&&(f.__g|=1)):(y?t.__c=f=new oe(M,O):(t.__c=f=new to(M,O),f.constructor=oe,f.render=gp),k&&k.sub(f),f.state||(f.state={}),f.__n=o,f.__g|=8,f.__h=[],f.__k=[]),y&&(f.__s||(f.__s=f.state),oe.getDerivedStateFromProps&&(f.__s==f.state&&(f.__s=vt({},f.__s)),vt(f.__s,oe.getDerivedStateFromProps(M,f.__s)))),g=f.props,b=f.state,f.__v=t,n.__c){if(M!==g&&y&&!oe.getDerivedStateFromProps&&f.componentWillReceiveProps&&f.componentWillReceiveProps(M,O),t.__v==n.__v&&!(8&f.__g)||!(4&f.__g)&&f.shouldComponentUpdate&&f.shouldComponentUpdate(M,f.__s,O)===!1){t.__v!=n.__v&&(f.props=M,f.state=f.__s,f.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(q){q&&(q.__=t)}),ro.push.apply(f.__h,f.__k),f.__k=[],f.__h.length&&i.push(f),l=lt(n);break e}f.componentWillUpdate&&f.componentWillUpdate(M,f.__s,O),y&&f.componentDidUpdate&&f.__h.push(function(){f.componentDidUpdate(g,b,C)})}else y&&!oe.getDerivedStateFromProps&&f.componentWillMount&&f.componentWillMount(),y&&f.componentDidMount&&f.__h.push(f.componentDidMount);f.context=O,f.props=M,f.__P=e,f.__g&=-5,V=de.__r,j=y?25:0;do f.__g&=-9,V&&V(t),u=f.render(f.props,f.state=f.__s,f.context);while(8&f.__g&&++j<25);y&&(ro.push.apply(f.__h,f.__k),f.__k=[]),f.state=f.__s,f.getChildContext&&(o=vt({},o,f.getChildContext())),y&&n.__c&&f.getSnapshotBeforeUpdate&&(C=f.getSnapshotBeforeUpdate(g,b)),R=u&&u.type===ct&&u.key==null?u.props.children:u,M.__P&&(u=l,s=(e=M.__P).namespaceURI,c=r=null,n.props&&n.props.__P!=e&&(n.__k.some(function(q){q&&xs(q,q)}),n.__k=null),l=n.__k?lt(n,0):null),l=ya(e,hs(R)?R:[R],t,n,o,s,r,i,l,c,d),M.__P&&(t.__e=null,l=u),t.__u&=-161,p&&p.some(wt),f.__h.length&&i.push(f),1&f.__g&&(f.__g&=-4)}catch(q){if(i.length=$,t.__v=null,c||r)if(q&&q.then){if(t.__u|=128|c,r){for(~(W=r.indexOf(l||void 0))||(W=r.length);(J=r[W-1])&&J.nodeType==8;)W--;for(;W<r.length;W++)if(J=r[W])if(r[W]=null,B){if(J==L)break}else{if(J.nodeType!=8)break;J.data.startsWith("$s")&&(L=no(B=J))}}if(!B){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;B=l}(u=no(B=t.__c.__z||(t.__c.__z=B)))?(t.__e=B,l=u):t.__e=l,l=l&&l.nextSibling}else r&&r.some(wt);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),q&&q.then||_a(t),de.__e(q,t,n)}}else l=t.__e=hp(n.__e,t,n,o,s,r,i,c,d,e);return(u=de.diffed)&&u(t),l}function no(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function _a(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(_a))}function wa(e,t,n){for(var o=0;o<n.length;)ys(n[o++],n[o++],n[o++]);de.__c&&de.__c(t,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(r){r.call(s)})}catch(r){de.__e(r,s.__v)}})}function hp(e,t,n,o,s,r,i,l,c,d){var u,p,$,f,g,b,C,M,y=n.props||so,k=t.props,O=t.type;if(O=="svg"?s="http://www.w3.org/2000/svg":O=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),r){for(u=0;u<r.length;u++)if((g=r[u])&&(O?g.localName==O:g.nodeType==3)){e=g,r[u]=null;break}}if(!e){if(M=d.ownerDocument||document,!O)return M.createTextNode(k);e=M.createElementNS(s,O,k.is?k:d),l&&(de.__m&&de.__m(t,r),l=!1),r=null}if(O){if(d=O=="template"&&e.content||e,r=O=="textarea"&&k.defaultValue!=null?null:r&&gs.call(d.childNodes),!l&&r)for(y={},u=0;u<e.attributes.length;u++)y[(g=e.attributes[u]).name]=g.value;for(u in y)g=y[u],u=="dangerouslySetInnerHTML"?$=g:u=="children"||u in k||u=="value"&&"defaultValue"in k||u=="checked"&&"defaultChecked"in k||Zn(e,u,null,g,s);for(u in k)g=k[u],u=="children"?f=g:u=="dangerouslySetInnerHTML"?p=g:u=="value"?b=g:u=="checked"?C=g:l&&typeof g!="function"||y[u]===g||Zn(e,u,g,y[u],s);p?(l||$&&(p.__html==$.__html||p.__html==e.innerHTML)||(e.innerHTML=p.__html),t.__k=[]):($&&(e.textContent=""),(O=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&up.test(O))&&(s="http://www.w3.org/1999/xhtml"),ya(d,hs(f)?f:[f],t,n,o,s,r,i,r?r[0]:n.__k&&lt(n,0),l,c),r&&r.some(wt)),l&&O!="textarea"||(u="value",O=="progress"&&b==null?e.removeAttribute(u):b==null||b===e[u]&&(O!="progress"||b)||Zn(e,u,b,y[u],s),u="checked",C!=null&&C!=e[u]&&Zn(e,u,C,y[u],s))}else y===k||l&&e.data==k||(e.data=k);return e}function ys(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(s){de.__e(s,n)}}function xs(e,t,n){var o,s,r,i;if(de.unmount&&de.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||ys(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(l){de.__e(l,t)}o.__P=o.__n=null}if(o=e.__k)for(i=0;i<o.length;i++)o[i]&&xs(o[i],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(s=no(o,r=[]))&&(o==e.__e&&r.some(wt),wt(s),wt(o)),n||wt(e.__e),e.__e=e.__c=e.__=null}function gp(e,t,n){return this.constructor(e,n)}function _s(e,t){var n,o,s,r;de.__&&de.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=hn(ct,{children:[e]}),s=[],r=[],bs(t,t.__k,o||so,so,t.namespaceURI,o?null:t.firstChild?gs.call(t.childNodes):null,s,o?o.__e:t.firstChild,n,r),wa(s,t.__k,r),t.__k.props.children=null}function ws(e){function t(n){var o,s;return this.getChildContext||(o=new Set,(s={})[t.__c]=this,this.getChildContext=function(){return s},this.shouldComponentUpdate=function(r){this.props.value!=r.value&&o.forEach(function(i){i.__g|=4,$s(i)})},this.sub=function(r){o.add(r);var i=r.componentWillUnmount;r.componentWillUnmount=function(){o.delete(r),i&&i.call(r)}}),n.children}return t.__c="__cC"+ma++,t.__=e,t.Provider=(t.Consumer=function(n,o){return n.children(o)}).contextType=t,t}var de,pa,dp,it,ps,oo,fa,eo,$a,ms,fs,ma,gn,so,ro,up,hs,gs,vt,vs=E(()=>{gn=Symbol.for("pv"),so={},ro=[],up=/^m(i|n|o|s|text|space)$/,hs=Array.isArray,gs=ro.slice,vt=Object.assign;de={__e:function(e,t,n,o){for(var s,r,i;t=t.__;)if((s=t.__c)&&!(1&s.__g)){s.__g|=4;try{if((i=(r=s.constructor)&&r.getDerivedStateFromError)&&s.setState(r.getDerivedStateFromError(e)),s.componentDidCatch&&(s.componentDidCatch(e,o||{}),i=1),i&&8&s.__g)return void(s.__g|=2)}catch(l){e=l}}throw oo=0,e}},pa=0,dp=function(e){return e!=null&&e.constructor===gn},to.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=vt({},this.state)),typeof e=="function"&&(e=e(vt({},n),this.props)),e&&(vt(n,e),this.__v&&(t&&this.__k.push(t),$s(this)))},to.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),$s(this))},to.prototype.render=ct,it=[],oo=0,fa=function(e,t){return e.__v.__b-t.__v.__b},eo=Symbol(),$a=/(PointerCapture)$|Capture$/i,ms=0,fs={},ma=0});function Sa(e){var t=va.get(this);return t||(t=new Map,va.set(this,t)),(t=ka(this,t.get(e)||(t.set(e,t=(function(n){for(var o,s,r=1,i="",l="",c=[0],d=function($){r===1&&($||(i=i.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,$,i):r===3&&($||i)?(c.push(3,$,i),r=2):r===2&&i==="..."&&$?c.push(4,$,0):r===2&&i&&!$?c.push(5,0,!0,i):r>=5&&((i||!$&&r===5)&&(c.push(r,0,i,s),r=6),$&&(c.push(r,$,0,s),r=6)),i=""},u=0;u<n.length;u++){u&&(r===1&&d(),d(u));for(var p=0;p<n[u].length;p++)o=n[u][p],r===1?o==="<"?(d(),c=[c],r=3):i+=o:r===4?i==="--"&&o===">"?(r=1,i=""):i=o+i[0]:l?o===l?l="":i+=o:o==='"'||o==="'"?l=o:o===">"?(d(),r=1):r&&(o==="="?(r=5,s=i,i=""):o==="/"&&(r<5||n[u][p+1]===">")?(d(),r===3&&(c=c[0]),r=c,(c=c[0]).push(2,0,r),r=0):o===" "||o==="	"||o===`
`||o==="\r"?(d(),r=2):i+=o),r===3&&i==="!--"&&(r=4,c=c[0])}return d(),c})(e)),t),arguments,[])).length>1?t:t[0]}var ka,va,Ea=E(()=>{ka=function(e,t,n,o){var s;t[0]=0;for(var r=1;r<t.length;r++){var i=t[r++],l=t[r]?(t[0]|=i?1:2,n[t[r++]]):t[++r];i===3?o[0]=l:i===4?o[1]=Object.assign(o[1]||{},l):i===5?(o[1]=o[1]||{})[t[++r]]=l:i===6?o[1][t[++r]]+=l+"":i?(s=e.apply(l,ka(e,l,n,["",null])),o.push(s),l[0]?t[0]|=2:(t[r-2]=0,t[r]=s)):o.push(l)}return o},va=new Map});function kt(e,t){ge.__h&&ge.__h(pe,e,yn||t),yn=0;var n=pe.__H||(pe.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function h(e){return yn=1,Ht(Pa,e)}function Ht(e,t,n){var o=kt(ot++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):Pa(void 0,t),function(r){var i=(o.__N||o.__)[0],l=o.t(i,r);Ss(i,l)||(o.__N=[l,o.__[1]],o.__c.setState({}))}],o.__c=pe,!pe.__f)){pe.__f=!0;var s=pe.shouldComponentUpdate;pe.shouldComponentUpdate=function(r,i,l){var c=this.__H;if(!c)return!0;var d=!1,u=this.props!=r;if(c.__.some(function($){$.__N&&(d=!0,Ss($.__[0],$.__N[0])||(u=!0))}),s){var p=s.call(this,r,i,l);return d?p||u:p}return!d||u}}return o.__}function _(e,t){var n=kt(ot++,3);!ge.__s&&As(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,pe.__H.__h.push(n))}function ke(e,t){var n=kt(ot++,4);!ge.__s&&As(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,pe.__h.push(n))}function A(e){return yn=5,le(function(){return{current:e}},[])}function le(e,t){var n=kt(ot++,7);return As(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function ye(e,t){return yn=8,le(function(){return e},t)}function Ms(e){var t=pe.context[e.__c],n=kt(ot++,9);return n.c=e,t?(n.__==null&&(n.__=!0,t.sub(pe)),t.props.value):e.__}function Cs(e){var t=kt(ot++,10),n=h();return t.__=e,pe.componentDidCatch||(pe.componentDidCatch=function(o,s){t.__&&t.__(o,s),n[1](o)}),[n[0],function(){return n[1]()}]}function Me(){var e=kt(ot++,11);if(!e.__){for(var t=pe.__v;!t.__m&&t.__;)t=t.__;var n=t.__m||(t.__m=[0,0]);e.__="P"+n[0]+"-"+n[1]++}return e.__}function bp(){var e;do{for(;e=Es.shift();)try{bn(e)}catch(n){ge.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=Da.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(bn),t.__h.some(Ts),t.__h=[]}catch(n){t.__h=[],ge.__e(n,e.__v)}}}while(Es.length)}function yp(e){var t,n=function(){clearTimeout(o),La&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);La&&(t=requestAnimationFrame(n))}function Ra(e){e!=1&&Ta==ge.requestAnimationFrame||((Ta=ge.requestAnimationFrame)||yp)(bp)}function bn(e){var t=pe,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),pe=t}function Ts(e){var t=pe;e.__c=e.__(),pe=t}function As(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!Ss(n,e[o])})}function Pa(e,t){return typeof t=="function"?t(e):t}var ot,pe,ks,Ta,Ss,yn,Da,Es,ge,Ma,Ca,Aa,Oa,Ia,Na,La,ja=E(()=>{vs();Ss=Object.is,yn=0,Da=[],Es=[],ge=de,Ma=ge.__b,Ca=ge.__r,Aa=ge.diffed,Oa=ge.__c,Ia=ge.unmount,Na=ge.__;ge.__b=function(e){pe=null,Ma&&Ma(e)},ge.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Na&&Na(e,t)},ge.__r=function(e){Ca&&Ca(e),ot=0;var t=(pe=e.__c).__H;t&&(ks==pe?pe.__h=[]:(t.__h.some(bn),t.__h.some(Ts),ot=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),ks=pe},ge.diffed=function(e){Aa&&Aa(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Ra(Da.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),ks=pe=null},ge.__c=function(e,t){t.some(function(n){try{n.__h.some(bn),n.__h=n.__h.filter(function(o){return!o.__||Ts(o)})}catch(o){n.__h=[function(){throw o}]}}),Oa&&Oa(e,t)},ge.unmount=function(e){Ia&&Ia(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(s){try{if(s.__P&&s.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}s.__P=n,Ra(Es.push(s))}else bn(s)}catch(r){t=r}}),o.__H=void 0,t&&ge.__e(t,o.__v))};La=typeof requestAnimationFrame=="function"});var a,te,v=E(()=>{vs();Ea();ja();a=Sa.bind(ha),te=(...e)=>e.filter(Boolean).join(" ")});function Os(){let e=document.activeElement?.closest("main a[href]"),t=[...document.querySelectorAll(qa)];return{top:window.scrollY,scrolls:new Map(t.filter(n=>n.scrollTop>0).map(n=>[n.ariaLabel??"",n.scrollTop])),href:e?.getAttribute("href")??""}}function Ba(e){xn();let t=performance.now()+3e3,n=0,o=["wheel","touchstart","keydown","pointerdown"];xn=()=>{cancelAnimationFrame(n);for(let r of o)window.removeEventListener(r,xn)};let s=()=>{[xp(e.top),...[...e.scrolls].map(([i,l])=>_p(i,l))].every(Boolean)&&wp(e.href)||performance.now()>t?xn():n=requestAnimationFrame(s)};for(let r of o)window.addEventListener(r,xn,{passive:!0});n=requestAnimationFrame(s)}function xp(e){return Math.abs(window.scrollY-e)>1&&window.scrollTo(0,e),Math.abs(window.scrollY-e)<=1}function _p(e,t){let o=[...document.querySelectorAll(qa)].find(s=>s.ariaLabel===e);return o&&Math.abs(o.scrollTop-t)>1&&(o.scrollTop=t),!!o&&Math.abs(o.scrollTop-t)<=1}function wp(e){if(!e)return!0;let n=[...document.querySelectorAll("main a[href]")].find(o=>o.getAttribute("href")===e);return n?.focus({preventScroll:!0}),!!n}var qa,xn,za=E(()=>{qa="main .virtual, main .table-scroll";xn=()=>{}});function Fa(){return{path:location.pathname,query:new URLSearchParams(location.search)}}function Ha(){St=Fa();for(let e of Ns)e(St)}function Ua(){let[e,t]=h(St);return _(()=>(Ns.add(t),t(St),()=>Ns.delete(t)),[]),e}function x(e,t={}){let[n,o]=e.split("?"),s=new URLSearchParams(o),r=t instanceof URLSearchParams?[...t]:Object.entries(t);for(let[l,c]of r)c===""||c===null||c===void 0||c===!1?s.delete(l):s.set(l,String(c));Z()&&!s.has(Is)&&s.set(Is,Z());let i=vp(s);return i?`${n}?${i}`:n}function vp(e){return e.toString().replaceAll("%3A",":").replaceAll("%2C",",").replaceAll("%2F","/")}function ce(e,{replace:t=!1}={}){let n=x(e);if(n===location.pathname+location.search)return;let o=n.split("?")[0]!==location.pathname;t||(Ls.set(Ut,Os()),Ut=String(Math.random())),history[t?"replaceState":"pushState"]({key:Ut},"",n),Ha(),o&&window.scrollTo(0,0)}function Q(e,t){ce(x(St.path+location.search,e),t)}function Ka(e,t){let n=e.split("/"),o=t.replace(/(.)\/$/,"$1").split("/");if(n.length!==o.length)return null;let s={};for(let r=0;r<n.length;r+=1)if(n[r].startsWith(":"))s[n[r].slice(1)]=kp(o[r]);else if(n[r]!==o[r])return null;return s}function kp(e){try{return decodeURIComponent(e)}catch{return e}}function Sp(e){Ls.set(Ut,Os()),Ut=e.state?.key??"",Ha();let t=Ls.get(Ut);t&&Ba(t)}function Va(){window.addEventListener("popstate",Sp),document.addEventListener("click",Ep)}function Ep(e){let t=e.target instanceof Element?e.target.closest("a[href]"):null;if(!(t instanceof HTMLAnchorElement)||e.defaultPrevented||e.button!==0||e.metaKey||e.ctrlKey||e.shiftKey||e.altKey||t.target||t.hasAttribute("download")||t.dataset.native!==void 0)return;let n=new URL(t.href);n.origin!==location.origin||n.hash||n.pathname==="/logout"||(e.preventDefault(),ce(n.pathname+n.search))}var Is,Ns,St,Ls,Ut,Wa,Z,Se,U=E(()=>{v();za();Is="journal",Ns=new Set,St=Fa(),Ls=new Map,Ut=history.state?.key??"";Wa=()=>St,Z=()=>St.query.get(Is)||"",Se=()=>Z().startsWith("import-")});function _n(e){try{return JSON.parse(localStorage.getItem(e)||"{}").fields||{}}catch{return{}}}function Rs(e,t){try{localStorage.setItem(e,JSON.stringify({at:Date.now(),fields:t}))}catch{}}function Ds(e){try{localStorage.removeItem(e)}catch{}}function io(e=!1){for(let t of Object.keys(localStorage).filter(n=>n.startsWith(Ga))){let{at:n=0}=JSON.parse(localStorage.getItem(t)||"{}");(e||Date.now()-n>Tp)&&localStorage.removeItem(t)}}function lo(e,t){let[n,o]=h(()=>({...t,..._n(e)}));return[n,r=>{o(i=>({...i,...r})),Rs(e,{..._n(e),...r})},()=>Ds(e)]}var Ga,Tp,ao,Wt=E(()=>{v();U();Ga="tallystick.draft.",Tp=30*864e5,ao=(...e)=>Ga+JSON.stringify([Z(),...e])});function Ja(){let e=null;document.addEventListener("focusin",t=>e=t.target instanceof Element?t.target:null),new MutationObserver(()=>{!e||e.isConnected||document.activeElement!==document.body||(e=null,document.getElementById("main")?.focus({preventScroll:!0}))}).observe(document.body,{childList:!0,subtree:!0})}var co,uo=E(()=>{co=()=>!document.activeElement||document.activeElement===document.body||document.activeElement.id==="main"});function $e(e,t="plain"){let n=Cp+=1;Ya([...po,{id:n,text:e,tone:t}]),setTimeout(()=>Ya(po.filter(o=>o.id!==n)),Mp)}function Ya(e){po=e;for(let t of Ps)t(e)}function js(){let[e,t]=h(po);return _(()=>(Ps.add(t),()=>{Ps.delete(t)}),[]),a`<div class="toasts" role="status" aria-live="polite">
    ${e.map(n=>a`<p key=${n.id} class=${`toast tone-${n.tone}`}>${n.text}</p>`)}
  </div>`}var Mp,po,Cp,Ps,Kt=E(()=>{v();Mp=5e3,po=[],Cp=0,Ps=new Set});function fe(e,t){let n=A({group:e,keys:{}});n.current={group:e,keys:Ip(t)},_(()=>(Et.push(n),Qa(),()=>{Et.splice(Et.indexOf(n),1),Qa()}),[])}function Qa(){for(let e of zs)e(Symbol("keys"))}function Ip(e){return Object.fromEntries(Object.entries(e).filter(([,t])=>t))}function ti(){let[,e]=h(null);return _(()=>(zs.add(e),()=>{zs.delete(e)}),[]),Np()}function Np(){let e=new Map;for(let{current:t}of Et){let n=e.get(t.group)||{};for(let[o,s]of Object.entries(t.keys))n[o]=s.label;e.set(t.group,n)}return[...e].map(([t,n])=>({group:t,keys:Object.entries(n)}))}function ni(){let[e,t]=h(fo);return _(()=>(Bs.add(t),()=>{Bs.delete(t)}),[]),e}function qs(e){fo=e;for(let t of Bs)t(e)}function kn(e){let t=e.target;return t instanceof HTMLElement&&(t.isContentEditable||t.matches("input:not([type=checkbox]):not([type=radio]), textarea, select"))}function Lp(e){return e.target instanceof HTMLElement&&e.target.matches("a[href], button, summary, input, [role=option]")}function Za(e){for(let t=Et.length-1;t>=0;t-=1){let n=Et[t].current.keys[e];if(n)return n}return null}function oi(){document.addEventListener("keydown",Rp,!0),document.addEventListener("keyup",e=>vn&&!kn(e)&&e.key===" "&&e.preventDefault(),!0),document.addEventListener("pointerdown",()=>vn=!1,!0),document.addEventListener("keydown",Dp)}function Rp(e){if(kn(e)&&(vn=ei(e),wn=0),!vn||kn(e))return;wn>0&&e.timeStamp-wn>Op||e.key==="Tab"||e.key==="Escape"?vn=!1:(ei(e)||e.key==="Enter")&&(e.preventDefault(),e.stopPropagation(),wn||$e("The field in which you typed is gone. Shortcuts wait until you stop typing."),wn=e.timeStamp)}function ei({key:e,target:t,ctrlKey:n,metaKey:o}){return e==="Enter"?t instanceof HTMLTextAreaElement&&!n&&!o:e.length===1&&!n&&!o||e==="Backspace"||e==="Dead"||e==="Process"}function Dp(e){if(e.defaultPrevented||e.isComposing||e.altKey)return;let t=(e.metaKey||e.ctrlKey?"Ctrl+":"")+(e.key===" "?"Space":e.key);if((t==="Enter"||t==="Space")&&Lp(e))return;let n=fo&&Za(`${fo} ${t}`)||Za(t);if(clearTimeout(Xa),n&&(!kn(e)||n.typing)){qs(""),e.preventDefault(),n.run(e);return}let o=r=>r.startsWith(`${t} `),s=!kn(e)&&Et.some(({current:r})=>Object.keys(r.keys).some(o));qs(s?t:""),s&&(Xa=setTimeout(()=>qs(""),Ap))}var Ap,Op,Et,fo,Xa,Bs,zs,vn,wn,Ae=E(()=>{v();Kt();Ap=900,Op=1500,Et=[],fo="",Xa=0,Bs=new Set,zs=new Set;vn=!1,wn=0});function si(e){let t=Number(e);return String(t)===e?t:new Ee(e)}var Ee,dt=E(()=>{Ee=class{constructor(t){this.source=t,Object.freeze(this)}toString(){return this.source}valueOf(){return Number(this.source)}}});function Sn(e){return Pp.test(e)?Us(e):JSON.parse(e)}function Us(e){let t=new Hs(e),n=t.value();if(t.at<e.length)throw new Tt("This is not JSON yet",t.at);return n}var Pp,Fs,ri,jp,Tt,Hs,$o=E(()=>{dt();Pp=/(?:^|[\s[:,])-?(?:\d{16,}|\d+\.\d+(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|(?<=-)0)(?=[\s,\]}]|$)/,Fs=/[ \t\n\r]*/y,ri=/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y,jp=[["true",!0],["false",!1],["null",null]];Tt=class extends SyntaxError{constructor(t,n){super(t),this.at=n}},Hs=class{constructor(t){this.text=t,this.at=0,this.space()}value(){let t=this.text[this.at];if(t==="{")return this.object();if(t==="[")return this.array();if(t==='"')return this.string();ri.lastIndex=this.at;let n=ri.exec(this.text);if(n)return this.past(n[0].length),si(n[0]);for(let[o,s]of jp)if(this.text.startsWith(o,this.at))return this.past(o.length),s;return this.wrong()}object(){let t={};if(this.past(1),this.took("}"))return t;do{let n=this.at;this.text[n]!=='"'&&this.wrong();let o=this.string();if(Object.hasOwn(t,o))throw new Tt(`The name ${JSON.stringify(o)} appears twice`,n);this.took(":")||this.wrong();let s=this.value();o==="__proto__"?Object.defineProperty(t,o,{value:s,enumerable:!0,configurable:!0,writable:!0}):t[o]=s}while(this.took(","));return this.took("}")?t:this.wrong()}array(){let t=[];if(this.past(1),this.took("]"))return t;do t.push(this.value());while(this.took(","));return this.took("]")?t:this.wrong()}string(){let t=this.at;do t=this.text.indexOf('"',t+1);while(t>0&&this.#e(t));if(t<0)return this.wrong();try{let n=JSON.parse(this.text.slice(this.at,t+1));return this.past(t+1-this.at),n}catch{return this.wrong()}}#e(t){let n=t;for(;this.text[n-1]==="\\";)n-=1;return(t-n)%2===1}took(t){return this.text[this.at]!==t?!1:(this.past(1),!0)}past(t){this.at+=t,this.space()}space(){this.text.charCodeAt(this.at)>32||(Fs.lastIndex=this.at,Fs.test(this.text),this.at=Fs.lastIndex)}wrong(){throw new Tt("This is not JSON yet",this.at)}}});function re(e,{indent:t=0,sorted:n=!1}={}){return ai(e,t?`
`:""," ".repeat(t),n)}function ai(e,t,n,o){if(e instanceof Ee)return e.source;if(typeof e!="object"||e===null)return JSON.stringify(e)??"null";let s=c=>ai(c,t&&t+n,n,o),[r,i]=Array.isArray(e)?"[]":"{}",l=Array.isArray(e)?e.map(s):qp(e,o).map(c=>`${JSON.stringify(c)}:${t&&" "}${s(e[c])}`);return l.length?r+l.map(c=>(t&&t+n)+c).join(",")+t+i:r+i}function qp(e,t){let n=Object.keys(e).filter(o=>e[o]!==void 0);return t?n.sort():n}var Re=E(()=>{dt()});function Vs(){return Ws??=fetch("/session",{credentials:"same-origin"}).then(e=>e.ok?e.json():mo).catch(()=>mo).then(e=>({...mo,...e})),Ws}async function ut(){Ws=null;let e=await Vs();for(let t of Ks)t(e);return e}function Oe(){let[e,t]=h(mo);return _(()=>(Ks.add(t),Vs().then(t),()=>Ks.delete(t)),[]),e}var mo,Ws,Ks,ii,ze=E(()=>{v();mo={person:!1,name:"",journal:"",scopes:[],csrf:"",may_decide:!1,version:"",needs_login:!1},Ws=null,Ks=new Set;ii=async()=>(await Vs()).csrf});function T(e,t={},{signal:n,accept:o}={}){return li(go(e,t),o?{signal:n,headers:{Accept:o}}:{signal:n})}async function Te(e,t={},{key:n,params:o={}}={}){let s=typeof t=="string"?t:re(t),r={"Content-Type":typeof t=="string"?"application/x-ndjson":"application/json"},i=await ii();return i&&Object.assign(r,{"Tallystick-CSRF":i}),n&&Object.assign(r,{"Idempotency-Key":n}),li(go(e,o),{method:"POST",headers:r,body:s})}function go(e,t={}){let n=new URLSearchParams;for(let[s,r]of Object.entries(t))for(let i of Array.isArray(r)?r:[r])i!==""&&i!==null&&i!==void 0&&i!==!1&&n.append(s,String(i));Z()&&!n.has("journal")&&n.set("journal",Z());let o=n.toString();return o?`${e}?${o}`:e}async function li(e,t){let n=await fetch(e,{credentials:"same-origin",...t}).catch(s=>{throw s.name==="AbortError"?s:new ho({detail:"The server cannot be reached.",hint:"Is `tallystick serve` still running?"})});if(n.ok)return n.status===204?null:Sn(await n.text());n.status===401&&!e.startsWith("/login")&&location.pathname!=="/login"&&location.assign(`/login?next=${encodeURIComponent(location.pathname+location.search)}`);let o=await n.text().then(Sn).catch(()=>({title:n.statusText}));throw new ho({status:n.status,...o})}var ho,G=E(()=>{$o();Re();U();ze();ho=class extends Error{constructor(t){super(t.detail||t.title||"The server did not answer."),this.name="Problem",this.title=t.title||"",this.status=t.status||0,this.code=t.code||"",this.hint=t.hint||"",this.field=t.field||""}}});function ci(e,t,n){return navigator.locks?Bp(e,t):zp(t,n)}function Bp(e,t){let n=new AbortController,o=()=>{},s=()=>new Promise(r=>(o=r,t()));return navigator.locks.request(e,{signal:n.signal},s).catch(()=>{}),()=>(n.abort(),o())}function zp(e,t){let n=0,o=()=>{clearTimeout(n),document.hidden?n=setTimeout(t,5e3):e()};return document.addEventListener("visibilitychange",o),o(),()=>(clearTimeout(n),document.removeEventListener("visibilitychange",o))}var di=E(()=>{});function Kp(e){if(e!==Mt){Mt=e;for(let t of Js)t(e)}}function $i(){ui(),Vt?.close(),Ys(),Gt=0;let e=`tallystick ${Z()}`;Vt=new BroadcastChannel(e),Vt.addEventListener("message",t=>mi(t.data)),Vt.postMessage({asks:fi}),ui=ci(e,()=>pt||Xs(),Ys)}function Ys(){pt?.close(),pt=null}function Xs(){Ys();let e=new EventSource(go("/events",Gt?{after:Gt}:{}));pt=e,e.addEventListener("open",()=>{bo=pi,En({state:"live",reset:!0})}),e.addEventListener("error",()=>{En({state:e.readyState===EventSource.CLOSED?"offline":"connecting"}),!(e.readyState!==EventSource.CLOSED||pt!==e)&&(setTimeout(()=>pt===e&&Xs(),bo),bo=Math.min(bo*2,Wp))});let t=n=>Number(n.lastEventId)||0;for(let n of Fp)e.addEventListener(n,o=>En({seq:t(o),entry:o.data}));e.addEventListener("caught_up",n=>En({seq:t(n)})),e.addEventListener("shorter",n=>En({seq:t(n),shorter:!0,reset:!0}))}function En(e){mi(e),Vt?.postMessage(e)}function mi({asks:e,to:t,state:n,reset:o,seq:s,shorter:r,entry:i}){if(t&&t!==fi)return;e&&pt&&Vt?.postMessage({to:e,state:Mt,reset:Mt==="live",seq:Gt}),s!==void 0&&(Gt=r?s:Math.max(Gt,s)),n&&Kp(n);let l=i===void 0?null:Sn(i);if(o||l)for(let c of Gs)c(l)}function hi(){window.addEventListener("online",()=>pt&&Mt!=="live"&&Xs())}function Ie(e){let t=A(e);t.current=e,_(()=>{let n=o=>t.current(o);return Gs.add(n),()=>{Gs.delete(n)}},[])}function gi(){let[e,t]=h(Mt);return _(()=>(Js.add(t),t(Mt),()=>{Js.delete(t)}),[]),e}function P(e,t){let[n,o]=h({data:null,problem:null,loading:!0}),s=A({keys:e,load:t});s.current={keys:e,load:t};let r=A({timer:0,abort:null,busy:!1,next:0,due:!1}).current,i=ye(async()=>{clearTimeout(r.timer),r.timer=0,r.abort?.abort();let c=new AbortController;r.abort=c,r.busy=!0,r.due=!1;let d=performance.now();try{let u=await s.current.load(c.signal);c.signal.aborted||o({data:u,problem:null,loading:!1})}catch(u){c.signal.aborted||o(p=>({...p,problem:u,loading:!1}))}c.signal.aborted||(r.busy=!1,r.next=performance.now()+Up*(performance.now()-d),r.due&&l())},[]),l=ye(()=>{r.due=!0,!(r.busy||r.timer||document.hidden||s.current.keys.paused)&&(r.timer=setTimeout(i,Math.max(Hp,r.next-performance.now())))},[]);return Ie(c=>{(c===null||Vp(c,s.current.keys))&&l()}),ke(()=>{o({data:null,problem:null,loading:!0}),i()},e.by||[]),_(()=>{let c=()=>!document.hidden&&r.due&&l();return document.addEventListener("visibilitychange",c),()=>{document.removeEventListener("visibilitychange",c),clearTimeout(r.timer),r.abort?.abort()}},[]),_(()=>{!e.paused&&r.due&&l()},[e.paused]),{...n,reload:i}}function Vp(e,{kinds:t,execution:n}){return e.kind==="body_erased"?!0:n&&e.execution_id!==n&&e.id!==n?!1:!t||t.some(o=>e.kind===o||o.endsWith("_")&&e.kind.startsWith(o))}var Fp,Hp,Up,Wp,pi,Gs,Js,fi,pt,Vt,ui,Mt,Gt,bo,yo,ee=E(()=>{G();v();$o();di();U();Fp=["plan_recorded","plan_retired","task_recorded","session_opened","session_ended","session_noted","execution_started","execution_ended","action_begun","action_ended","action_doubted","action_noted","decision_recorded","context_recorded","approval_requested","approval_decided","body_erased","credential_added","credential_revoked","alert_silenced","webhook_added","webhook_rotated","webhook_tested","webhook_replayed","webhook_removed","unreadable"],Hp=30,Up=2,Wp=15e3,pi=500,Gs=new Set,Js=new Set,fi=String(Math.random()),pt=null,Vt=null,ui=()=>{},Mt="connecting",Gt=0,bo=pi;yo=e=>Ie(t=>t===null&&e())});function S({name:e,label:t="",size:n=16}){let o=bi[e]||bi.planned;return a`
    <svg
      class="icon"
      width=${n}
      height=${n}
      viewBox="0 0 16 16"
      role=${t?"img":null}
      aria-label=${t||null}
      aria-hidden=${t?null:"true"}
      focusable="false"
    >
      ${o.map(s=>s.startsWith("f:")?a`<path d=${s.slice(2)} fill="currentColor" />`:a`<path d=${s} fill="none" stroke="currentColor" />`)}
    </svg>
  `}function xo({size:e=20}){return a`
    <svg class="mark" width=${e} height=${e} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path class="mark-half" d="M3 1.5h6v17H3z" />
      <path class="mark-half mark-other" d="M11 1.5h6v17h-6z" />
      <path class="mark-notch" d="M3 5.4h6M3 8.5h6M3 11.6h6M3 14.7h6M11 5.4h6M11 8.5h6M11 11.6h6M11 14.7h6" />
    </svg>
  `}var bi,se=E(()=>{v();bi={running:["M8 1.75a6.25 6.25 0 1 1-4.42 1.83","f:M6.5 5.4v5.2L10.7 8z"],completed:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M5.2 8.2l2 2 3.7-4.2"],failed:["M5.4 1.75h5.2l3.65 3.65v5.2l-3.65 3.65H5.4L1.75 10.6V5.4z","M5.9 5.9l4.2 4.2M10.1 5.9l-4.2 4.2"],cancelled:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M3.7 12.3l8.6-8.6"],paused:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M6.4 5.6v4.8M9.6 5.6v4.8"],blocked:["M8 2a2.6 2.6 0 1 1 0 5.2A2.6 2.6 0 0 1 8 2z","M2.9 14c.3-2.9 2.3-4.6 5.1-4.6 1 0 1.9.2 2.7.6","M12.6 9.6v2.6l1.5 1"],unwinding:["M3 5.5h6.4a3.85 3.85 0 1 1 0 7.7H5","M5.8 2.6L2.9 5.5l2.9 2.9"],in_doubt:["M8 1.4L14.6 8 8 14.6 1.4 8z","M6.5 6.5c.1-1 .7-1.5 1.6-1.5.9 0 1.5.5 1.5 1.3 0 1.2-1.6 1.2-1.6 2.5","f:M7.3 10.3h1.4v1.3H7.3z"],skipped:["M2.5 4l5 4-5 4z","M8.5 4l5 4-5 4z"],planned:["M8 1.75a6.25 6.25 0 0 1 3.1.8M13.4 4.9a6.25 6.25 0 0 1 .8 3.1M13.4 11.1a6.25 6.25 0 0 1-2.3 2.3M8 14.25a6.25 6.25 0 0 1-3.1-.8M2.6 11.1A6.25 6.25 0 0 1 1.75 8M2.6 4.9a6.25 6.25 0 0 1 2.3-2.3"],unplanned:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M8 5.2v5.6M5.2 8h5.6"],owed:["M3 8h10","M6 4.5L2.5 8 6 11.5","M13.5 3v10"],late:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M8 4.6V8l2.4 1.6"],home:["M2.5 7.5L8 2.8l5.5 4.7","M4 6.5v7h8v-7"],executions:["M2.5 3.5h11M2.5 8h7M2.5 12.5h9"],approvals:["M2.5 9.5v3a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1v-3","M2.5 9.5h3l1 1.8h3l1-1.8h3L11.6 3H4.4z"],plans:["M2 3h3v3H2zM11 2h3v3h-3zM11 11h3v3h-3z","M5 4.5h3.2v8H11M8.2 3.6H11"],context:["M3 2.5h7.5L13 5v8.5H3z","M5.5 6.5h5M5.5 9h5M5.5 11.5h3"],stats:["M2.5 13.5h11","M4.5 11V8M8 11V3.5M11.5 11V6"],compare:["M6.5 2.5h-4v11h4M9.5 2.5h4v11h-4","M8 1.5v13"],replay:["M3.2 6A5.3 5.3 0 1 1 2.7 8.6","M2.6 2.8L3.1 6l3.2-.5"],import:["M8 2v7.5M5 6.7l3 3 3-3","M2.5 10.5v3h11v-3"],export:["M8 9.8V2.2M5 5l3-3 3 3","M2.5 10.5v3h11v-3"],journal:["M4 1.75h8.5v12.5H4a1.5 1.5 0 0 1 0-3h8.5M2.5 12.7V3.25A1.5 1.5 0 0 1 4 1.75","M5.7 5h4"],timeline:["M2 3.5h5M5 8h7M8.5 12.5H14"],graph:["M8 1.8v3M8 4.8H3.8v3M8 4.8h4.2v3","M2.2 7.8h3.2V11H2.2zM10.6 7.8h3.2V11h-3.2z"],table:["M2 3h12v10H2zM2 6.5h12M2 9.8h12M6.2 6.5V13"],coverage:["M1.5 8C3 5 5.3 3.5 8 3.5S13 5 14.5 8C13 11 10.7 12.5 8 12.5S3 11 1.5 8z","M8 6.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6z"],agent:["M3 5.5h10v7H3zM8 5.5V3","f:M7.2 1.6h1.6v1.6H7.2z","M6 8.3v1.4M10 8.3v1.4"],person:["M8 2a2.8 2.8 0 1 1 0 5.6A2.8 2.8 0 0 1 8 2z","M2.8 14c.4-3 2.4-4.7 5.2-4.7s4.8 1.7 5.2 4.7"],observed:["M1.5 8C3 5 5.3 3.5 8 3.5S13 5 14.5 8C13 11 10.7 12.5 8 12.5S3 11 1.5 8z","f:M8 6a2 2 0 1 1 0 4 2 2 0 0 1 0-4z"],claimed:["M2.5 3h11v7.5H8L5 13v-2.5H2.5z"],search:["M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z","M10.3 10.3l3.4 3.4"],filter:["M2 3.5h12L9.5 8.8v4L6.5 14V8.8z"],copy:["M5.5 5.5h8v8h-8z","M10.5 5.5v-3h-8v8h3"],check:["M3 8.5l3.2 3.2L13 4.6"],close:["M4 4l8 8M12 4l-8 8"],left:["M10 3.5L5.5 8l4.5 4.5"],right:["M6 3.5L10.5 8 6 12.5"],down:["M3.5 6L8 10.5 12.5 6"],up:["M3.5 10L8 5.5 12.5 10"],first:["M3 3v10","M13 8H6.5M9.3 5L6.3 8l3 3"],follow:["M8 2.5v8.5M4.5 7.8L8 11.3l3.5-3.5","M3 14h10"],link:["M6.7 9.3l2.6-2.6","M7.3 4.7l1.4-1.4a2.8 2.8 0 0 1 4 4l-1.4 1.4M8.7 11.3l-1.4 1.4a2.8 2.8 0 0 1-4-4l1.4-1.4"],save:["M3.5 2.5h9v11L8 10.2 3.5 13.5z"],more:["f:M2.6 7h2v2h-2zM7 7h2v2H7zM11.4 7h2v2h-2z"],settings:["M2 4.5h6M11.5 4.5H14M2 11.5h2.5M8 11.5h6","M9.75 2.75a1.75 1.75 0 1 1 0 3.5 1.75 1.75 0 0 1 0-3.5z","M6.25 9.75a1.75 1.75 0 1 1 0 3.5 1.75 1.75 0 0 1 0-3.5z"],zoomin:["M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z","M10.3 10.3l3.4 3.4M7 5v4M5 7h4"],zoomout:["M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z","M10.3 10.3l3.4 3.4M5 7h4"],fit:["M2 5V2h3M11 2h3v3M14 11v3h-3M5 14H2v-3"],warning:["M8 2L14.5 13.5h-13z","M8 6.5v3","f:M7.3 10.7h1.4V12H7.3z"],live:["f:M8 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z"],offline:["M8 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z"],group:["M2.5 3h11M5 6.5h8.5M2.5 10h11M5 13.5h8.5"],edit:["M2.8 13.2l.6-2.8 7.4-7.4 2.2 2.2-7.4 7.4z"],reply:["M6.5 4L2.5 8l4 4","M2.5 8h6.8c2.4 0 4.2 1.6 4.2 4.5"],bell:["M3.5 11.5h9l-1.2-1.8V7a3.3 3.3 0 0 0-6.6 0v2.7z","M6.7 13.7h2.6"],keyboard:["M1.5 4h13v8h-13z","M4 6.7h.01M6.7 6.7h.01M9.3 6.7h.01M12 6.7h.01M5.5 9.5h5"]}});function Ct(e){let[t,n,o]=Gp[e]||["idle","planned",e];return{tone:t,icon:n,word:o}}function K({state:e,word:t,quiet:n=!1}){let{tone:o,icon:s,word:r}=Ct(e);return a`<span class=${te("status",`tone-${o}`,n&&"status-quiet")}>
    <${S} name=${s} /><span>${t||r}</span>
  </span>`}function ne({tone:e="plain",icon:t,title:n,children:o}){return a`<span class=${`badge tone-${e}`} title=${n}>
    ${t&&a`<${S} name=${t} size=${14} />`}<span>${o}</span>
  </span>`}function Qe({witness:e}){let t=e==="observed";return a`<span class=${`witness witness-${t?"observed":"claimed"}`} title=${t?"A hook, gateway or runner saw it":"The agent reported it"}>
    <${S} name=${t?"observed":"claimed"} size=${14} /><span>${e}</span>
  </span>`}var Gp,At,Qs=E(()=>{v();se();Gp={running:["running","running","running"],open:["running","running","running"],paused:["idle","paused","paused"],blocked:["waiting","blocked","waiting for a person"],unwinding:["undo","unwinding","unwinding"],interrupted:["doubt","warning","interrupted"],waiting:["waiting","blocked","waiting for a person"],completed:["ok","completed","completed"],done:["ok","completed","done"],ok:["ok","completed","ok"],failed:["failed","failed","failed"],cancelled:["idle","cancelled","cancelled"],closed:["idle","check","closed"],skipped:["idle","skipped","skipped"],planned:["idle","planned","planned"],in_doubt:["doubt","in_doubt","in doubt"],doubted:["doubt","in_doubt","in doubt"],unknown:["doubt","in_doubt","in doubt"],unplanned:["plain","unplanned","unplanned"],not_undone:["undo","owed","not undone"],undoing:["running","unwinding","being undone"],partly:["doubt","owed","partly undone"],undone:["undo","unwinding","undone"],kept:["ok","check","kept"],not_possible:["idle","cancelled","cannot be undone"],may_be_undo:["plain","unplanned","may be an undo"],pending:["waiting","blocked","pending"],expired:["idle","late","expired"],approve:["ok","completed","accepted"],edit:["ok","edit","accepted with changes"],reject:["failed","failed","rejected"],respond:["ok","reply","answered"],used:["idle","check","used"],active:["ok","plans","active"],superseded:["idle","late","superseded"],archived:["idle","save","archived"],disabled:["failed","failed","disabled"]};At=e=>e.interrupted?"interrupted":e.only_waits?"waiting":e.status});function w({kind:e="plain",icon:t,label:n,pressed:o,disabled:s=!1,type:r="button",class:i,children:l,onClick:c,...d}){let u=!l||Array.isArray(l)&&!l.length;return a`
    <button
      ...${d}
      type=${r}
      aria-disabled=${s?"true":null}
      onClick=${s?Jp:c}
      class=${te("button",`button-${e}`,u&&"button-icon",i)}
      aria-label=${u?n:d["aria-label"]}
      aria-pressed=${o===void 0?null:String(o)}
      title=${u?n:d.title}
    >
      ${t&&a`<${S} name=${t} />`}${l}
    </button>
  `}function Fe({href:e,icon:t,kind:n="plain",class:o,children:s,...r}){return a`<a ...${r} href=${e} class=${te("button",`button-${n}`,o)}>
    ${t&&a`<${S} name=${t} />`}${s}
  </a>`}function ae({label:e,value:t,choices:n,onChange:o}){return a`<div class="choice" role="group" aria-label=${e}>
    ${n.map(s=>{let[r,i]=Array.isArray(s)?s:[s,s];return a`<button type="button" aria-pressed=${String(r===t)} onClick=${()=>o(r)}>
        ${i}
      </button>`})}
  </div>`}var Jp,He=E(()=>{v();se();Jp=e=>e.preventDefault()});async function Jt(e){try{return await navigator.clipboard.writeText(e),!0}catch{return!1}}function be({text:e,what:t=""}){let[n,o]=h(""),s=async()=>{o(await Jt(e)?"copied":"cannot copy"),setTimeout(()=>o(""),1600)};return a`<span class="copy">
    <button type="button" class="button button-ghost button-icon" aria-label=${`Copy ${t||e}`} title=${`Copy ${t||e}`} onClick=${s}>
      <${S} name=${n==="copied"?"check":"copy"} />
    </button>
    <span class="copy-status" role="status">${n}</span>
  </span>`}function Ue({id:e,href:t}){return a`<span class="handle">
    ${t?a`<a href=${t}><code>${e}</code></a>`:a`<code>${e}</code>`}<${be} text=${e} />
  </span>`}var Yt=E(()=>{v();se()});function Ze({title:e,onClose:t,children:n,wide:o=!1,side:s=!1}){let r=A(null),i=Me();return _(()=>{let c=r.current;return c?.showModal(),()=>c?.close()},[]),a`<dialog
    ref=${r}
    class=${`dialog ${o?"dialog-wide":""} ${s?"dialog-side":""}`}
    aria-labelledby=${i}
    onCancel=${c=>(c.preventDefault(),t())}
    onClick=${c=>c.target===r.current&&t()}
  >
    <div class="dialog-box">
      <header class="dialog-head">
        <h2 id=${i}>${e}</h2>
        <${w} kind="ghost" icon="close" label="Close" onClick=${t} />
      </header>
      <div class="dialog-body">${n}</div>
    </div>
  </dialog>`}var yi=E(()=>{v();He()});function wi(e){return vi.test(e)&&e.length<_i?e?[e]:[]:e.split(Qp).map((t,n)=>n%2?Zp(t):t).filter(Boolean)}function Zp(e){if(e===`
`)return{mark:"↵",title:"a line break"};if(e[0]===" ")return{mark:`${e.length} spaces`,title:`${e.length} spaces, one after the other`};let t=[...e].map(o=>`U+${Si(o).toString(16).toUpperCase().padStart(4,"0")}`),n=t.slice(0,8).join(" ")+(t.length>8?" …":"");return{mark:_e(e),title:`${n}: would not be seen`}}function ef(e){if(e==="\r")return"\\r";let t=Si(e);return t<256?`\\x${_o(t,2)}`:t<65536?`\\u${_o(t,4)}`:`\\U${_o(t,8)}`}var xi,Zs,er,_i,Yp,Xp,Qp,vi,_e,ki,wo,Si,_o,tf,Ne,We=E(()=>{xi="\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Nkoo}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Tibt}",Zs=["(?<=[\\p{ExtPict}\\p{EMod}\\ufe0f])\\u200d(?=\\p{ExtPict})",`(?<=[${xi}])[\\u200c\\u200d](?=[${xi}])`,"(?<=\\p{ExtPict})[\\ufe0e\\ufe0f]","(?<=[0-9#*])\\ufe0f(?=\\u20e3)"].join("|"),er="[\\p{C}\\p{DI}\\u2800\\p{Zl}\\p{Zp}]|(?! )\\p{Zs}",_i=40,Yp=new RegExp(`(?!${Zs})(?:${er})`,"gu"),Xp=new RegExp(`(?![\\n\\t]|${Zs})(?:${er})`,"gu"),Qp=new RegExp(`((?:(?![\\n\\t]|${Zs})(?:${er}))+|\\n| {${_i},})`,"gu");vi=/^[ -~]*$/;_e=e=>vi.test(e)?e:e.replace(Xp,ef),ki=e=>e.replace(Yp,t=>t===`
`?t:t.split("").map(n=>`\\u${_o(n.charCodeAt(0),4)}`).join("")),wo=(e,t)=>e.slice(0,t).replace(/[\ud800-\udbff]$/,"");Si=e=>Number(e.codePointAt(0)),_o=(e,t)=>e.toString(16).padStart(t,"0"),tf=/^[\p{L}_$][\p{L}\p{N}_$-]*$/u,Ne=e=>tf.test(e)?e:JSON.stringify(e)});function tr(e,t){let n=0;for(;n<e.length&&n<t.length&&e[n]===t[n];)n+=1;let o=0,s=Math.min(e.length,t.length)-n;for(;o<s&&e[e.length-1-o]===t[t.length-1-o];)o+=1;let r=e.length-n-o,i=t.length-n-o,l=[];for(let c=0;c<n;c+=1)l.push({before:c,after:c});l.push(...r*i>1e6?nf(n,r,i):of(e,t,n,r,i));for(let c=o;c>0;c-=1)l.push({before:e.length-c,after:t.length-c});return l}function nf(e,t,n){let o=Array.from({length:t},(r,i)=>({before:e+i,after:-1})),s=Array.from({length:n},(r,i)=>({before:-1,after:e+i}));return[...o,...s]}function of(e,t,n,o,s){let r=s+1,i=new Uint32Array((o+1)*r);for(let u=o-1;u>=0;u-=1)for(let p=s-1;p>=0;p-=1){let $=u*r+p;i[$]=e[n+u]===t[n+p]?i[$+r+1]+1:Math.max(i[$+r],i[$+1])}let l=[],c=0,d=0;for(;c<o||d<s;){let u=c*r+d;c<o&&d<s&&e[n+c]===t[n+d]?(l.push({before:n+c,after:n+d}),c+=1,d+=1):c<o&&(d===s||i[u+r]>=i[u+1])?(l.push({before:n+c,after:-1}),c+=1):(l.push({before:-1,after:n+d}),d+=1)}return l}var Ei=E(()=>{});function vo(e,t){let n=[];return Ai(Mn(e,t),[],n),n}function Mi(e,t){let n=[];return Oi(Mn(e,t),0,"","",n),n}function Ci(e,t=3){let n=new Uint8Array(e.length);e.forEach((s,r)=>{s.mark!==" "&&n.fill(1,Math.max(0,r-t),r+t+1)});let o=[];for(let s=0;s<e.length;s+=1){if(n[s]){o.push(e[s]);continue}let r=s;for(;r<e.length&&!n[r];)r+=1;r-s>2?o.push({folded:e.slice(s,r)}):o.push(...e.slice(s,r)),s=r-1}return o}function ko(e){return e.map(n=>{let o=typeof n=="number"?"":Ne(n);return o&&o===n?`.${o}`:`[${o||n}]`}).join("").replace(/^\./,"")||"(the whole value)"}function or(e,t){return nr(e)===nr(t)}function Mn(e,t,n=0){return or(e,t)?{kind:"same",before:e,after:t}:n>=sf?{kind:"changed",before:e,after:t}:Array.isArray(e)&&Array.isArray(t)?{kind:"array",before:e,after:t,parts:af(e,t,n+1)}:Cn(e)&&Cn(t)?{kind:"object",before:e,after:t,parts:rf(e,t,n+1)}:{kind:typeof e=="string"&&typeof t=="string"&&/\n/.test(e+t)?"text":"changed",before:e,after:t}}function rf(e,t,n){let o=Object.keys(e),s=Object.keys(t).filter(r=>!Object.hasOwn(e,r));return[...o,...s].map(r=>Object.hasOwn(t,r)?Object.hasOwn(e,r)?{...Mn(e[r],t[r],n),key:r}:{kind:"added",key:r,after:t[r]}:{kind:"removed",key:r,before:e[r]})}function af(e,t,n){let o=["id","key","name"].find(c=>Ti(e,c)&&Ti(t,c)),s=c=>c.map(d=>o?d[o]:nr(d)),r=[],i=[],l=()=>{for(let c of i)r.push({kind:"removed",key:c,before:e[c]});i=[]};for(let c of tr(s(e),s(t)))c.after<0?i.push(c.before):c.before<0&&i.length&&!o?r.push({...Mn(e[Number(i.shift())],t[c.after],n),key:c.after}):c.before<0?(l(),r.push({kind:"added",key:c.after,after:t[c.after]})):(l(),r.push({...Mn(e[c.before],t[c.after],n),key:c.after}));return l(),r}function Ti(e,t){let n=new Set(e.map(o=>Cn(o)&&typeof o[t]=="string"?o[t]:void 0));return e.length>0&&!n.has(void 0)&&n.size===e.length}function Ai(e,t,n){let o=e.key===void 0?t:[...t,e.key];e.parts?e.parts.forEach(s=>Ai(s,o,n)):e.kind==="added"?n.push({path:o,change:"added",after:e.after}):e.kind==="removed"?n.push({path:o,change:"removed",before:e.before}):e.kind!=="same"&&n.push({path:o,change:"changed",before:e.before,after:e.after})}function Oi(e,t,n,o,s){if(e.kind==="same")Tn(e.after," ",t,n,o,s);else if(e.kind==="removed")Tn(e.before,"-",t,n,o,s);else if(e.kind==="added")Tn(e.after,"+",t,n,o,s);else if(e.kind==="text")lf(e,t,n,o,s);else if(e.parts){let[r,i]=e.kind==="array"?"[]":"{}";s.push({mark:" ",depth:t,text:n+r}),e.parts.forEach((l,c,d)=>{let u=e.kind==="array"?"":`${JSON.stringify(l.key)}: `;Oi(l,t+1,u,c<d.length-1?",":"",s)}),s.push({mark:" ",depth:t,text:i+o})}else Tn(e.before,"-",t,n,o,s),Tn(e.after,"+",t,n,o,s)}function Tn(e,t,n,o,s,r){re(e,{indent:1}).split(`
`).forEach((l,c,d)=>{let u=l.length-l.trimStart().length,p=c===d.length-1;r.push({mark:t,depth:n+u,text:(c?"":o)+l.trimStart()+(p?s:"")})})}function lf(e,t,n,o,s){let r=e.before.split(`
`),i=e.after.split(`
`);s.push({mark:" ",depth:t,text:`${n}"""`});for(let l of tr(r,i)){let c=l.after<0?"-":l.before<0?"+":" ";s.push({mark:c,depth:t+1,text:c==="-"?r[l.before]:i[l.after],within:!0})}s.push({mark:" ",depth:t,text:`"""${o}`})}function nr(e){return e===void 0?"undefined":re(e,{sorted:!0})}function Cn(e){return typeof e=="object"&&e!==null&&!Array.isArray(e)&&!(e instanceof Ee)}var sf,So=E(()=>{dt();Re();We();Ei();sf=100});function m({text:e}){return e?a`<bdi class="written"><${ft} text=${e} /></bdi>`:null}function ft({text:e}){return wi(e).map(t=>typeof t=="string"?t:a`<span class="unseen" title=${t.title}>${t.mark}</span>`)}function De({text:e}){return e.split(`
`).map((t,n)=>a`${n?`
`:""}<${ft} text=${t} />`)}function Ii({text:e,cut:t=e.length}){let n=wo(e,t);if(!e.includes(`
`))return a`<bdi class="json-string">"<${ft} text=${n.replaceAll(/["\\]/g,"\\$&").replaceAll("	","\\t")} />${t<e.length?"":'"'}</bdi>`;let o=n.split(`
`);return a`<span class="json-brace">text, ${e.split(`
`).length} lines</span><span class="json-block">${o.map((s,r)=>a`<bdi class="json-text"><${ft} text=${s} />${r<o.length-1&&a`<span class="unseen line-end" title="a line break">↵</span>`}</bdi>`)}</span>`}var je=E(()=>{v();We()});function ie({value:e,label:t="value",raw:n=!1,whole:o=!1}){let[s,r]=h(n?"raw":"tree"),i=Ni(e),l=i&&et(e).length>uf;return a`<div class="json">
    <div class="json-tools">
      ${l&&a`<${ae} label=${`How ${t} is shown`} value=${s} choices=${["tree","raw"]} onChange=${r} />`}
      <${be} text=${typeof e=="string"?e:et(e)} what=${t} />
    </div>
    ${s==="raw"||!i?a`<${Qt} text=${typeof e=="string"?e:et(e)} />`:a`<div class=${l?"json-tree":"json-tree json-short"}><${pf} value=${e} whole=${o} /></div>`}
  </div>`}function Qt({text:e}){let[t,n]=h(!1),o=!t&&e.length>Xt*10;return a`<pre class="text" tabindex="0"><${De} text=${o?wo(e,Xt*10):e} />${o&&a`<button type="button" class="more" onClick=${()=>n(!0)}>… ${e.length-Xt*10} characters more</button>`}</pre>`}function pf({value:e,whole:t}){let n=Object.entries(e),o=t?-1/0:0;return!n.length||Array.isArray(e)?a`<${Li} value=${e} depth=${o} />`:a`<${Ri} members=${n} depth=${o} flat />`}function Li({name:e,value:t,depth:n}){let o=e===void 0?null:a`<bdi class="json-key"><${ft} text=${e} /></bdi>`;if(!Ni(t))return a`<div class="json-line">${o}<${Zt} value=${t} /></div>`;let s=Array.isArray(t),r=Object.entries(t);if(!r.length)return a`<div class="json-line">${o}<span class="json-brace">${s?"[ ]":"{ }"}</span></div>`;let i=`${r.length} ${s?r.length===1?"item":"items":r.length===1?"field":"fields"}`;return a`<details class="json-node" open=${n<df}>
    <summary>${o}<span class="json-brace">${s?"[…]":"{…}"} ${i}</span></summary>
    <${Ri} members=${r} depth=${n} list=${s} />
  </details>`}function Ri({members:e,depth:t,flat:n=!1,list:o=!1}){let[s,r]=h(cf);return a`<div class=${n?null:"json-members"}>
    ${e.slice(0,s).map(([i,l])=>a`<${Li} key=${i} name=${o?i:Ne(i)} value=${l} depth=${t+1} />`)}
    ${e.length>s&&a`<button type="button" class="more" onClick=${()=>r(s*10)}>… ${e.length-s} more</button>`}
  </div>`}function Zt({value:e}){let[t,n]=h(!1);if(typeof e!="string")return a`<span class=${`json-${e===null?"null":e instanceof Ee?"number":typeof e}`}>${String(e)}</span>`;let o=!t&&e.length>Xt;return a`<${Ii} text=${e} cut=${o?Xt:e.length} />${o&&a`<button type="button" class="more" onClick=${()=>n(!0)}>… ${e.length-Xt} more</button>`}`}var Xt,cf,df,uf,et,Ni,An=E(()=>{v();dt();Re();He();Yt();je();We();Xt=400,cf=100,df=2,uf=160;et=e=>e===void 0?"":re(e,{indent:2}),Ni=e=>typeof e=="object"&&e!==null&&!(e instanceof Ee)});function qe({before:e,after:t,titles:n=["before","after"]}){let o=vo(e,t),s=o.some(d=>typeof d.before=="string"&&d.before.includes(`
`)),[r,i]=h(""),l=r||(s?"lines":"fields");if(!o.length)return a`<p class="soft">No difference.</p>`;let c=`Difference between ${n[0]} and ${n[1]}`;return a`<div class="diff">
    <div class="diff-head">
      <span class="soft">${ff(o)}</span>
      <${ae} label="How the difference is shown" value=${l} choices=${["fields","lines"]} onChange=${i} />
    </div>
    <div class="diff-body" role="group" aria-label=${c} tabindex="0">
      ${l==="fields"?a`<${$f} found=${o} titles=${n} />`:a`<${hf} before=${e} after=${t} titles=${n} />`}
    </div>
  </div>`}function ff(e){let t=n=>e.filter(o=>o.change===n).length;return["changed","added","removed"].filter(t).map(n=>`${t(n)} ${n}`).join(", ")}function $f({found:e,titles:t}){let n=e.map(o=>({path:o.path.length?ko(o.path):"value",kind:o.change,before:o.before,after:o.after}));return a`<${Eo} rows=${n} titles=${t} />`}function Eo({rows:e,titles:t,words:n={}}){return a`<table class="diff-table">
    <thead>
      <tr><th scope="col">field</th><th scope="col">${t[0]}</th><th scope="col">${t[1]}</th></tr>
    </thead>
    <tbody>
      ${e.map(o=>a`<tr key=${o.path}>
        <th scope="row"><code><${m} text=${o.path} /></code><span class="diff-kind">${n[o.kind]??o.kind}</span></th>
        <td>${o.kind==="added"?a`<span class="faint">–</span>`:a`<del><${Di} value=${o.before} /></del>`}</td>
        <td>${o.kind==="removed"?a`<span class="faint">–</span>`:a`<ins><${Di} value=${o.after} /></ins>`}</td>
      </tr>`)}
    </tbody>
  </table>`}function Di({value:e}){return typeof e=="string"?a`<${Zt} value=${e} />`:a`<${De} text=${et(e)} />`}function hf({before:e,after:t,titles:n}){let[o,s]=h([]),r=Ci(Mi(e,t));return a`<p class="visually-hidden">Lines that begin with a minus are only in ${n[0]}, those with a plus only in ${n[1]}.</p>
    <pre class="diff-lines">${r.map((i,l)=>"folded"in i?o.includes(l)?i.folded.map(c=>a`<${Pi} line=${c} />`):a`<button type="button" class="diff-fold" onClick=${()=>s([...o,l])}>${i.folded.length} unchanged lines</button>`:a`<${Pi} line=${i} />`)}</pre>`}function Pi({line:e}){let t=a`${`${e.mark} ${"  ".repeat(e.depth)}${e.within?"│ ":""}`}<bdi><${ft} text=${e.text} /></bdi>${`
`}`;return e.mark==="-"?a`<del class="diff-line diff-removed">${t}</del>`:e.mark==="+"?a`<ins class="diff-line diff-added">${t}</ins>`:a`<span class=${`diff-line diff-${mf[e.mark]}`}>${t}</span>`}var mf,sr=E(()=>{So();v();He();An();je();mf={" ":"kept","-":"removed","+":"added"}});function Be({keys:e}){return a`<span class="kbd-row">
    ${e.split(" ").map(t=>a`<kbd class="kbd">${gf[t]||t}</kbd>`)}
  </span>`}var gf,ji=E(()=>{v();gf={ArrowDown:"↓",ArrowUp:"↑",ArrowLeft:"←",ArrowRight:"→",Escape:"Esc",Enter:"⏎"}});function st({label:e,icon:t,word:n,children:o,kind:s="plain",end:r=!1}){let[i,l]=h(!1),c=A(null),d=Me();_(()=>{if(!i)return;let p=$=>{let f=$ instanceof KeyboardEvent?$.key:"";f&&f!=="Escape"||!f&&$.target instanceof Node&&c.current?.contains($.target)||(l(!1),f&&($.preventDefault(),c.current?.querySelector("button")?.focus()))};return document.addEventListener("pointerdown",p),document.addEventListener("keydown",p,!0),()=>{document.removeEventListener("pointerdown",p),document.removeEventListener("keydown",p,!0)}},[i]);let u=p=>{p.target instanceof Element&&p.target.closest("[data-close], a[href]")&&l(!1)};return a`<div class="menu" ref=${c}>
    <button
      type="button"
      class=${`button button-${s} ${n?"":"button-icon"}`}
      aria-label=${n?null:e}
      title=${e}
      aria-expanded=${String(i)}
      aria-controls=${d}
      onClick=${()=>l(!i)}
    >
      ${t&&a`<${S} name=${t} />`}${n}
    </button>
    <div id=${d} class=${`menu-box ${r?"menu-end":""}`} hidden=${!i} onClick=${u}>${i&&o}</div>
  </div>`}var qi=E(()=>{v();se()});function D({title:e,level:t=2,actions:n,class:o,flush:s=!1,children:r,...i}){return a`<section ...${i} class=${te("panel",s&&"panel-flush",o)}>
    ${(e||n)&&a`<header class="panel-head">
      ${e&&a`<${`h${t}`} class="panel-title">${e}</${`h${t}`}>`}
      ${n&&a`<div class="panel-actions">${n}</div>`}
    </header>`}
    <div class="panel-body">${r}</div>
  </section>`}function F({icon:e="planned",title:t,children:n}){return a`<div class="empty">
    <${S} name=${e} size=${24} />
    <p class="empty-title">${t}</p>
    ${n&&a`<div class="empty-body">${n}</div>`}
  </div>`}function N({problem:e,retry:t}){return e?a`<div class="problem" role="alert">
    <${S} name="warning" />
    <div>
      <p>${e.message}</p>
      ${e.hint&&a`<p class="soft">${e.hint}</p>`}
    </div>
    ${t&&a`<button type="button" class="button button-plain" onClick=${t}>Try again</button>`}
  </div>`:null}function H({what:e="Loading"}){return a`<p class="loading" role="status">${e}…</p>`}function Le({rows:e}){return a`<dl class="facts">
    ${e.filter(t=>Array.isArray(t)&&t[1]!==""&&t[1]!==void 0&&t[1]!==null).map(t=>a`<div><dt>${t[0]}</dt><dd>${t[1]}</dd></div>`)}
  </dl>`}var Bi=E(()=>{v();se()});function Ke({label:e,value:t,onChange:n,onEnter:o,placeholder:s="",children:r}){let[i,l]=h(t),c=A(t),d=A(0),u=A(null);_(()=>{t!==c.current&&(c.current=t,l(t))},[t]);let p=g=>{clearTimeout(d.current),c.current=g,n(g)},$=g=>{l(g),clearTimeout(d.current),d.current=setTimeout(()=>p(g),bf)};return a`<div class="search" role="search">
    <${S} name="search" />
    <input
      ref=${u}
      type="search"
      aria-label=${e}
      placeholder=${s}
      value=${i}
      spellcheck="false"
      autocomplete="off"
      data-search
      onInput=${g=>$(g.target.value)}
      onKeyDown=${g=>{(g.key==="Enter"||g.key==="ArrowDown")&&(p(i),o&&(g.preventDefault(),u.current?.blur(),o())),g.key==="Escape"&&(i?(l(""),p("")):u.current?.blur())}}
    />
    ${r}
  </div>`}function rr(){let e=document.querySelector("main [data-search]");e?.focus(),e?.select()}var bf,zi=E(()=>{v();se();bf=250});function Ot({label:e,columns:t,rows:n,id:o,selected:s,onSelect:r}){return a`<div class="table-scroll" tabindex="0" role="region" aria-label=${e}>
    <table class="table">
      <thead>
        <tr>${t.map(i=>a`<th scope="col" class=${i.class}>${i.title}</th>`)}</tr>
      </thead>
      <tbody>
        ${n.map(i=>a`<tr
            key=${o(i)}
            class=${r?"row-link":null}
            aria-selected=${s===void 0?null:String(o(i)===s)}
            onClick=${r?()=>r(i):null}
          >
            ${t.map(l=>a`<td class=${l.class}>${l.cell(i)}</td>`)}
          </tr>`)}
      </tbody>
    </table>
  </div>`}var Fi=E(()=>{v()});function On({label:e,tabs:t,value:n,href:o=s=>x(location.pathname+location.search,{tab:s})}){let s=A(null);return _(()=>{s.current?.querySelector("[aria-current]")?.scrollIntoView({block:"nearest",inline:"nearest"})},[n]),a`<nav class="tabs" aria-label=${e} ref=${s} onKeyDown=${i=>{let l={ArrowRight:1,ArrowLeft:-1}[i.key];if(!l||!s.current)return;let c=[...s.current.querySelectorAll("a")];c[(c.indexOf(document.activeElement)+l+c.length)%c.length].focus(),i.preventDefault()}}>
    ${t.map(i=>a`<a href=${o(i.id)} class="tab" aria-current=${i.id===n?"page":null}>
        ${i.title}
        ${i.count?a`<span class=${`tab-count tone-${i.tone||"plain"}`}>${i.count}</span>`:null}
      </a>`)}
  </nav>`}var Hi=E(()=>{v();U()});function It({row:e,steps:t,running:n=!1,failed:o=!1}){let{done:s,undone:r,skipped:i,total:l}=ar(e),c=[...Array(s-r).fill("done"),...Array(r).fill("undone"),...Array(i).fill("skipped")],d=t||Array.from({length:Math.min(l,Ui+1)},($,f)=>c[f]??yf(f-c.length,n,o)),u=t?t.length:l,p=Wi(e);return u?a`<span class="tally" role="img" aria-label=${p} title=${p}>
    ${u>Ui?a`<span class="tally-bar"><span style=${{width:`${100*(s+i)/u}%`}}></span></span>`:d.map(($,f)=>a`<i class=${te("notch",`notch-${$}`,f%5===4&&"notch-fifth")}></i>`)}
  </span>`:a`<span class="tally-none">ad hoc</span>`}function Wi(e){let{done:t,undone:n,skipped:o,total:s}=ar(e),r=n?`, of which ${n} undone`:"";return o?`${t} done${r}, ${o} skipped of ${s} steps`:`${t} of ${s} steps done${r}`}function rt(e){let{done:t,undone:n,skipped:o,total:s}=ar(e),r=[n&&`${n} undone`,o&&`${o} skipped`].filter(Boolean);return`${t}/${s}${r.length?` (${r.join(", ")})`:""}`}function ar(e){return{done:e.done_steps??0,undone:e.undone_steps??0,skipped:e.skipped_steps??0,total:e.total_steps??0}}function yf(e,t,n){return e?"planned":n?"failed":t?"running":"planned"}var Ui,ir=E(()=>{v();Ui=40});function To(e){let t=localStorage.getItem(`tallystick.${e}`)||"",n=In[e];return n.includes(t)?t:n[0]}function cr(e,t){localStorage.setItem(`tallystick.${e}`,t),document.documentElement.dataset[e]=t;for(let n of lr)n(Symbol(e))}function me(e){let[,t]=h(null);return _(()=>(lr.add(t),()=>{lr.delete(t)}),[]),To(e)}function Ki(){window.addEventListener("storage",e=>{let t=e.key?.replace("tallystick.","");t&&t in In&&cr(t,To(t))})}var In,lr,Ve=E(()=>{v();In={theme:["system","light","dark"],density:["compact","comfortable"],time:["relative","absolute"],zone:["local","utc"]},lr=new Set});function we(){let[e,t]=h(()=>Date.now());return _(()=>(Mo.add(t),dr||=setInterval(()=>!document.hidden&&Mo.forEach(n=>n(Date.now())),xf),()=>{Mo.delete(t),Mo.size||(dr=void clearInterval(dr))}),[]),e}function ue(e,t=2){if(e<-_f)return"–";let n=Math.max(0,e);if(n<1e3)return`${Math.round(n)} ms`;if(n<1e4&&t>1)return`${(n/1e3).toFixed(1).replace(".0","")} s`;let o=Math.round(n/1e3),s=[];for(let[r,i]of wf){let l=Math.floor(o/r);if(o-=l*r,l&&s.push(`${l} ${i}`),s.length&&!l||s.length===t)break}return s.join(" ")}function en(e,t){let n=new Date(e);return Number.isNaN(n.getTime())?String(e):Sf[t==="utc"?"utc":"local"].format(n)}function Nt(e,t){let n=new Date(e);return(n.toDateString()===new Date().toDateString()?vf:kf)[t==="utc"?"utc":"local"].format(n)}function tt(){return me("zone")==="utc"?"UTC":Intl.DateTimeFormat().resolvedOptions().timeZone}function I({at:e,lead:t="",tail:n=" ago",form:o}){let s=me("time"),r=me("zone");return e?a`<time class="time" dateTime=${e} title=${en(e,r)}>
    ${(o||s)==="absolute"?Nt(e,r):a`<${Ef} at=${e} lead=${t} tail=${n} />`}
  </time>`:a`<span class="faint">–</span>`}function Ef({at:e,lead:t,tail:n}){let o=we()-Date.parse(e);return o<1500&&!t?"now":`${t}${ue(Math.max(o,1e3),1)}${t?"":n}`}function $t({from:e,to:t}){return t?a`<span class="num">${ue(Date.parse(t)-Date.parse(e))}</span>`:a`<${Tf} from=${e} />`}function Tf({from:e}){return a`<span class="num">${ue(we()-Date.parse(e))}</span>`}var xf,_f,wf,Mo,dr,ur,pr,vf,kf,Sf,mt=E(()=>{v();Ve();xf=1e3,_f=3e5,wf=[[86400,"d"],[3600,"h"],[60,"min"],[1,"s"]],Mo=new Set,dr=0;ur=e=>({local:new Intl.DateTimeFormat("en-GB",e),utc:new Intl.DateTimeFormat("en-GB",{...e,timeZone:"UTC"})}),pr={hour:"2-digit",minute:"2-digit",second:"2-digit"},vf=ur(pr),kf=ur({day:"numeric",month:"short",...pr}),Sf=ur({dateStyle:void 0,year:"numeric",month:"short",day:"numeric",...pr,fractionalSecondDigits:3,timeZoneName:"short"})});function Lt({rows:e,height:t,row:n,looks:o,label:s,selected:r=-1,atEnd:i=!1,onEnd:l,onNear:c,onRange:d,head:u,role:p="list",outer:$="region"}){let f=A(null),[g,b]=h({top:0,room:800}),C=A(!1),M=A(new Map),y=ye(()=>{let L=f.current;L&&b(W=>{let J=Math.floor(L.scrollTop/t)*t;return W.top===J&&W.room===L.clientHeight?W:{top:J,room:L.clientHeight}})},[t]);ke(()=>{let L=f.current;if(!L)return;let W=new ResizeObserver(y);return W.observe(L),y(),()=>W.disconnect()},[y]),ke(()=>{!i||!f.current||(C.current=!0,f.current.scrollTop=f.current.scrollHeight)},[i,e.length]),ke(()=>{let L=f.current;if(r<0||!L)return;let W=r*t;W<L.scrollTop?L.scrollTop=W:W+t*2>L.scrollTop+L.clientHeight&&(L.scrollTop=W+t*2-L.clientHeight)},[r,t]);let k=()=>{y();let L=f.current,W=L.scrollTop+L.clientHeight>=L.scrollHeight-t;C.current||l?.(W),C.current=!1},O=Math.max(0,Math.floor(g.top/t)-Vi),V=Math.min(e.length,Math.ceil((g.top+g.room)/t)+Vi);_(()=>{c&&V>=e.length&&c()},[V,e.length]),_(()=>d?.(O,V),[O,V,d]);let j=new Map,R=(L,W)=>{let J=o?.(L,W),oe=M.current.get(L),q=oe&&oe.looks===J?oe:{looks:J,row:n(L,W)};return J!==void 0&&j.set(L,q),q.row},B=e.slice(O,V).map((L,W)=>R(L,O+W));return M.current=j,a`<div class="virtual" ref=${f} onScroll=${k} tabindex="0" role=${$} aria-label=${s} aria-rowcount=${$==="table"?e.length+1:null}>
    ${u}
    <div class="virtual-all" role=${p} style=${{height:`${e.length*t}px`}}>
      <div class="virtual-seen" role="presentation" style=${{transform:`translateY(${O*t}px)`}}>
        ${B}
      </div>
    </div>
  </div>`}var Vi,Gi=E(()=>{v();Vi=12});var z=E(()=>{Qs();He();Yt();yi();sr();An();ji();qi();Bi();zi();Fi();Hi();ir();je();We();mt();Kt();Gi()});function ht(){let e=Oe(),[t,n]=h([]);_(()=>{let s=()=>document.hidden||T("/v1/journals").then(i=>n(l=>Of(l,i.journals)?l:i.journals),()=>{});s();let r=setInterval(s,Af);return()=>clearInterval(r)},[]);let o=Z()||e.journal;return{shown:o,others:t.filter(s=>s!==o)}}var Af,Of,Nn=E(()=>{G();v();U();ze();Af=5e3;Of=(e,t)=>e.length===t.length&&e.every((n,o)=>n===t[o])});function gt(){let[e,t]=h(If),{shown:n}=ht();_(()=>{fr||=T("/clients"),fr.then(t,()=>fr=null)},[]);let o=Ge(e.command),s=e.store?` --url ${Ge(e.store)}`:"";return{clients:e.clients,setup:`${e.store?`TALLYSTICK_URL=${Ge(e.store)} `:""}${o} setup`,commandLine:r=>`${o} ${r}${s} --journal ${Ge(n)}`}}var If,fr,Ge,tn=E(()=>{G();v();Nn();If={clients:[],command:"tallystick",store:""},fr=null;Ge=e=>/^[\w@%+=:,./-]+$/.test(e)?e:`'${e.replaceAll("'",`'"'"'`)}'`});function Xi(e,t,{reason:n="",answer:o="",text:s=""}={}){let r={verdict:t,...n.trim()?{reason:n.trim()}:{}};if(t==="respond")return o.trim()?{body:{...r,answer:o.trim()}}:{problem:"Enter an answer for the agent.",field:"answer"};if(t!=="edit")return{body:r};let i=$r(s);return"problem"in i?{problem:i.problem,field:"arguments"}:or(i.value,e.arguments??{})?{problem:"The arguments are unchanged. To grant the call as asked, choose Accept.",field:"arguments"}:{body:{...r,arguments:i.value}}}function $r(e){let t;try{t=Us(e)}catch(n){return Nf(e,n)}return Cn(t)?{value:t}:{problem:"Arguments must be a JSON object: begin with { and end with }.",line:1}}function Nf(e,t){if(!(t instanceof Tt))return{problem:"The arguments are nested too deep.",line:1};let n=e.slice(0,t.at).split(`
`).length;return{problem:`${e.trim()?t.message:"Arguments are missing"}. Check line ${n}.`,line:n}}function Ao(e,t){return t&&t.status==="expired"?"Too late: the question has expired. Nothing was granted, and the agent has to ask again.":t&&t.status==="closed"?"Too late: its execution has ended. Nothing was granted.":t&&t.status!=="pending"?`The question was already answered${t.decided_by?` by ${t.decided_by}`:t.answered_in?` in ${t.answered_in}`:""}: ${Rt(t.status)}. Your answer was not used.`:e.code==="not_permitted"||e.status===403?"You are not logged in as a person who may decide. Your answer is kept: enter a credential, and send it again.":[e.message,e.hint].filter(Boolean).join(" ")}function Rt(e){return e==="used"?"accepted, and used":e in Ln?Ln[e].past.toLowerCase():e}var Ln,nn=E(()=>{So();$o();Ln={approve:{verb:"Accept",past:"Accepted",key:"a"},edit:{verb:"Edit",past:"Accepted with other arguments",key:"e"},reject:{verb:"Reject",past:"Rejected",key:"r"},respond:{verb:"Respond",past:"Answered",key:"m"}}});function Oo({get:e,post:t}){return async(n,o,s)=>{let r=`/v1/approvals/${encodeURIComponent(n)}`;try{let i=await t(`${r}/decision`,o,{key:s});return{id:n,ok:!0,status:i.status,problem:""}}catch(i){let l=await e(r).catch(()=>null),{status:c}=i;return{id:n,ok:!1,status:l?.status??"",problem:Ao(i,l),refused:c===401||c===403,unreachable:!c&&!l}}}}var on,Rn=E(()=>{nn();on=()=>`page-${crypto.randomUUID?.()??[...crypto.getRandomValues(new Uint32Array(4))].join("-")}`});async function Df(e){let n=(await Promise.all(Rf.map(s=>T("/v1/entries",{kind:s,newest_first:!0,limit:Lf},{signal:e})))).flatMap(s=>s.entries).toSorted((s,r)=>s.seq-r.seq),o=new Set;for(let{kind:s,facts:r}of n)s==="credential_added"&&r.scopes?.includes("approve")&&!(r.expires&&Pf(r.expires))?o.add(r.name):o.delete(r.name);return[...o]}function Qi(){let{data:e}=P({kinds:["credential_"]},t=>Df(t).catch(()=>[]));return e?e.length?a`<p class="soft who-may">May decide: ${e.map((t,n)=>a`${n?", ":""}<strong><${m} text=${t} /></strong>`)}.</p>`:a`<p class="soft who-may">No one here is known to hold a credential with the scope <code>approve</code>.</p>`:null}var Lf,Rf,Pf,Zi=E(()=>{G();v();ee();je();Lf=200,Rf=["credential_added","credential_revoked"];Pf=e=>(typeof e=="number"?e/1e3:Date.parse(e))<=Date.now()});function Je({onDone:e,scope:t="approve"}){let[n,o]=h(""),[s,r]=h(""),[i,l]=h(!1),c=A(null),[d,u]=h(!1),p=Me(),$=gt().commandLine("credential add NAME");return a`<form class="credential" ref=${c} onSubmit=${async g=>{g.preventDefault(),l(!0);let b=n,C=await Te("/login",{token:b.trim()}).then(()=>"",qf),M=C?null:await ut();l(!1),o(y=>y===b?"":y),M&&(t==="approve"?M.may_decide:M.scopes.includes(t))?e?.():(r(C||`This credential ${t==="approve"?"may not decide: it ":""}lacks the scope “${t}”.`),c.current?.contains(document.activeElement)&&document.getElementById(p)?.focus())}} aria-labelledby=${`${p}-title`}>
    <h2 id=${`${p}-title`} class="visually-hidden">Who are you?</h2>
    <div class="credential-row">
      <label class="field" for=${p}>
        <span>Credential <span class="faint">${jf[t]}</span></span>
        <input
          id=${p} type="password" autocomplete="current-password" spellcheck="false" required value=${n}
          placeholder="ts_…" aria-describedby=${`${p}-problem`} aria-invalid=${s?"true":null}
          onInput=${g=>(o(g.target.value),r(""))}
        />
      </label>
      <${w} kind="primary" type="submit" disabled=${i||!n.trim()}>Use it in this session<//>
    </div>
    <p id=${`${p}-problem`} class="field-problem" role="alert">${s}</p>
    <details class="credential-how" onToggle=${g=>u(g.target.open)}>
      <summary>${t==="approve"?"I have none: who may decide?":"I have none"}</summary>
      ${d&&t==="approve"&&a`<${Qi} />`}
      <p class="soft">The operator of this server can create one. It is shown once:</p>
      <span class="command"><code>${$}</code><${be} text=${$} what="the command" /></span>
    </details>
  </form>`}function qf(e){return e.status===401||e.status===403?"This credential is unknown or no longer valid.":e.message}var jf,sn=E(()=>{Zi();G();v();ze();tn();He();Yt();jf={approve:"Deciding needs an approver’s credential. An agent’s token can never do it.",admin:"This needs a credential with the scope “admin”. An agent’s token can never do it."}});function Ye(e,t,n){let o=URL.createObjectURL(new Blob(Array.isArray(t)?t:[t],{type:n})),s=Object.assign(document.createElement("a"),{href:o,download:s$(e)});document.body.append(s),s.click(),s.remove(),setTimeout(()=>URL.revokeObjectURL(o),6e4)}function s$(e){return e.normalize("NFKC").replaceAll(/[^\p{L}\p{N}._ -]+/gu,"-").replace(/^[.\s-]+/,"").slice(0,120)||"tallystick"}var Fn=E(()=>{});function Do(e){let[t,n]=h({library:null,problem:null});if(_(()=>{e().then(o=>n({library:o,problem:null}),o=>n({library:null,problem:o}))},[e]),t.problem)throw t.problem;return t.library}var kl,Sl,xr=E(()=>{v();kl=()=>import("./dagre-72RP2Z24.js"),Sl=()=>import("./uplot-2LURMCIS.js").then(e=>e.default)});function Jl(e){let[t,n]=h({lines:[],complete:!1,problem:null}),o=A([]),s=A(new Set),r=A(0),i=A(0),l=(p,$=!0)=>{o.current=p,n({lines:p,complete:$,problem:null})},c=async()=>{let p=i.current+=1,$=[],f="";do{let g=await T("/v1/actions",{execution_id:e,limit:Gl,cursor:f});if(p!==i.current)return;$=$.concat(g.actions),f=g.next_cursor||"",f&&$.length>o.current.length&&l($,!1)}while(f);l($)},d=async()=>{r.current=0;let p=[...s.current];s.current.clear();let $=o.current;if(!$.length||p.length>U$||p.includes("*"))return c();let f=i.current,g=await T("/v1/actions",{execution_id:e,limit:Gl,cursor:$[$.length-1].id}),b=new Set($.map(y=>y.id)),C=await Promise.all(p.filter(y=>b.has(y)).map(y=>T(`/v1/actions/${y}`)));if(f!==i.current)return;if(g.next_cursor)return c();let M=new Map(C.map(y=>[y.id,y]));l([...$.map(y=>M.has(y.id)?V$(y,M.get(y.id)):y),...g.actions])},u=p=>p().catch($=>n(f=>({...f,problem:$})));return _(()=>(o.current=[],n({lines:[],complete:!1,problem:null}),u(c),()=>{i.current+=1,clearTimeout(r.current),r.current=0}),[e]),Ie(p=>{let $=!p||K$.has(p.kind);!$&&p.execution_id!==e||(s.current.add($?"*":p.id),r.current||=setTimeout(()=>u(d),W$))}),t}function V$(e,t){let{state:n,ended:o,lost:s,undo_state:r,undone_by:i,attempt:l}=t;return{...e,state:n,ended:o,lost:s,undo_state:r,undone_by:i,attempt:l}}var Gl,U$,W$,K$,Yl,vr=E(()=>{G();v();ee();Gl=2e3,U$=12,W$=60,K$=new Set(["session_ended","body_erased"]);Yl=e=>e.summary||e.tool||e.step||e.id});function Bo(){let[e,t]=h(""),{shown:n,others:o}=ht(),{clients:s,setup:r,commandLine:i}=gt(),l=[...new Set(s.map(d=>d.client))],c=s.filter(d=>d.client===(e||l[0]));return a`<div class="page first-steps">
    <header class="first-steps-head">
      <${xo} size=${40} />
      <h1>Nothing is recorded yet</h1>
      <p class="soft">Plans, actions, decisions and undo lists appear here as soon as they are recorded. The page updates itself.</p>
      <p class="first-steps-wait" role="status"><span class="pulse"></span>Waiting for the first entry in <code>${n}</code>…</p>
      ${o.length>0&&a`<p role="status">Each project has its own journal. Journals with entries:
        ${o.slice(0,Mr).map((d,u)=>a`${u?", ":" "}<a href=${`/?journal=${encodeURIComponent(d)}`}>${d}</a>`)}${o.length>Mr?` and ${o.length-Mr} more`:""}.</p>`}
    </header>
    <div class="first-steps-ways">
      <${D} title="1. Record every call" level=${2}>
        <p>One command sets up the hooks of Claude Code, Codex, Gemini CLI, Cursor and Copilot. It shows what it changes,
        and <code>setup --remove</code> reverts it.</p>
        <${Cr} text=${r} />
      </${D}>
      <${D} title="2. Give the agent the journal's tools" level=${2}>
        <p>With the tools, an agent can record plans and decisions, and read what the last agent did.</p>
        ${l.length>0&&a`<${ae} label="Client" value=${e||l[0]} choices=${l} onChange=${t} />`}
        ${c.map(d=>a`<div class="snippet" key=${d.over+d.where+d.client}>
            <p class="soft">${d.where.replaceAll("`","")}${d.over==="http"?", through this server":""}</p>
            <${Cr} text=${d.text} />
          </div>`)}
      </${D}>
      <${D} title="3. Or write the first entry yourself" level=${2}>
        <${Cr} text=${i('record execution-start --title "Clean up"')} />
        <p class="soft"><${S} name="right" />This page then shows the execution.</p>
      </${D}>
    </div>
  </div>`}function Cr({text:e}){return a`<div class="snippet-command"><pre tabindex="0"><code>${e}</code></pre><${be} text=${e} what="command" /></div>`}var Mr,Ar=E(()=>{v();se();Nn();tn();z();Mr=8});function $c(e){let t=[];for(let[,n,o,s]of e.matchAll(/(?:([a-z]+):)?(?:"([^"]*)"|(\S+))/g)){let r=o??s??"";n&&!(n in pc)?t.push({field:"",value:`${n}:${r}`}):t.push({field:n||"",value:r})}return t}function Kn(e){return e.map(({field:t,value:n})=>`${t?`${t}:`:""}${/\s/.test(n)?`"${n}"`:n}`).join(" ")}function gc(e){let n=e.filter(({field:o})=>o==="status").flatMap(({value:o})=>hc(o)).find(o=>!(o in mc));return n===void 0?null:{message:`“${n}” is no state of an execution.`,hint:`Use one of: ${Object.keys(zo).join(", ")}, open.`}}function bc(e){let t={status:[]},n=[];for(let{field:o,value:s}of e)!o||o==="tool"?n.push(s):o==="status"?t.status.push(...hc(s).flatMap(r=>mc[r]??[r])):t[pc[o]]=s;return{...t,text:n.join(" ")}}function yc(e,t){let n=e.filter(s=>s.field!==t.field||s.value!==t.value);if(n.length<e.length)return n;let o=t.field==="status"||t.field==="only";return[...e.filter(s=>!o||s.field!=="status"&&s.field!=="only"),t]}var pc,zo,Or,fc,mc,hc,Ir=E(()=>{pc={status:"status",agent:"actor",client:"client",task:"task_id",plan:"plan_id",tool:"tool",only:"only",since:"since",until:"until"},zo={...Object.fromEntries(["running","interrupted","paused","unwinding","completed","failed","cancelled","closed"].map(e=>[e,[e]])),waiting:["waiting","blocked"]},Or=["running","blocked","paused","unwinding"],fc=[["status:",`${Object.keys(zo).join(", ")}, or open`],["agent:","the agent that started it"],["client:","claude-code, codex-cli, …"],["task:","the task of the execution"],["tool:","a tool that was called"],["only:","in_doubt, owed, waiting, interrupted or working"],["since:","2d, 4h or a date; until: too"]];mc={...zo,open:Or,blocked:["blocked"],"waiting for a person":zo.waiting},hc=e=>e.split(",").map(t=>t.trim().toLowerCase())});function an({row:e,selected:t,index:n,onFocus:o}){return a`<div class=${te("exec",t&&"exec-selected")} role="listitem" data-index=${n}>
    <span class="exec-state"><${K} state=${At(e)} /></span>
    <span class="exec-what">
      <a class="exec-link cut" href=${x(`/x/${e.id}`)} onFocus=${o}><${m} text=${e.title||e.id} /></a>
      <span class="exec-meta cut">
        ${e.actor&&a`<span><${m} text=${e.actor} /></span>`}
        ${e.client&&a`<span>${e.client}</span>`}
        ${e.task_id&&a`<span>${e.task_id}</span>`}
        <code>${e.id}</code>
      </span>
    </span>
    <span class="exec-plan">
      <${It} row=${e} running=${At(e)==="running"} failed=${!!e.failed&&!["running","completed"].includes(e.status)} />
      ${e.total_steps?a`<span class="exec-step cut">${rt(e)}${e.step&&e.status!=="completed"?a` · ${e.step}`:null}</span>`:null}
    </span>
    <span class="exec-flags"><${fm} row=${e} /></span>
    <span class="exec-last"><${$m} row=${e} /></span>
  </div>`}function fm({row:e}){let t=e.failed??e.actions?.failed??0;return a`
    ${e.waiting?a`<${ne} tone="waiting" icon="blocked" title="Approvals pending">${e.waiting} pending</${ne}>`:null}
    ${e.in_doubt?a`<${ne} tone="doubt" icon="in_doubt" title="Actions with an unknown outcome">${e.in_doubt} in doubt</${ne}>`:null}
    ${t?a`<${ne} tone="failed" icon="failed" title="Actions that failed">${t} failed</${ne}>`:null}
    ${e.owed?a`<${ne} tone="undo" icon="owed" title="Somebody still has to undo this">${e.owed} owed</${ne}>`:null}
  `}function $m({row:e}){return e.interrupted?a`<span class="quiet" title=${`last worked on by ${e.interrupted_by||"a session"} (${e.last_session})`}><${I} at=${e.interrupted} lead="left " /></span>`:["running","unwinding"].includes(At(e))?a`<${mm} at=${e.last} />`:a`<${I} at=${Or.includes(e.status)?e.last:e.ended||e.last} />`}function mm({at:e}){let t=we()-Date.parse(e)>pm;return a`<span class=${t?"quiet":null}><${I} at=${e} lead=${t?"quiet for ":""} /></span>`}function xc({group:e,count:t,by:n,more:o}){return a`<div class="exec-group" role="listitem">
    <strong>${e||`no ${n}`}</strong><span class="faint">${t}${o?"+":""}</span>
  </div>`}var pm,Fo=E(()=>{v();U();z();Ir();pm=12e4});function Jn(e,t){if(!e)return{text:"no time limit",urgency:"none",next:1/0};let n=Date.parse(e)-t;if(n<=0)return{text:"expired",urgency:"over",next:1/0};let o=n<=Cm?"soon":"calm",[s,r]=Mm.find(([,c])=>n>=2*c)??["s",1e3],i=r===1e3,l=i?Math.ceil(n/r):Math.floor(n/r);return{text:`${l} ${s} left`,urgency:o,next:i?n-(l-1)*r:n-l*r+1}}function kc(e){let t=n=>n.expires?Date.parse(n.expires):1/0;return e.toSorted((n,o)=>(t(n)===t(o)?0:t(n)-t(o))||(n.id<o.id?-1:1))}var Mm,Cm,Uo=E(()=>{Mm=[["d",864e5],["h",36e5],["min",6e4]],Cm=10*6e4});function Lc(){return Ie(e=>{e?.kind==="approval_requested"&&Nc()&&!document.hasFocus()&&qm(e)}),null}function qm(e){let t=typeof e.body?.question=="string"?e.body.question:"An agent has a question.",n=new Notification(_e(t.slice(0,200)),{body:`${_e(e.facts?.tool||e.actor)} is waiting for you`,tag:e.id});n.onclick=()=>{window.focus(),ce(x(`/approvals/${e.id}`)),n.close()}}function Rc(){let[e,t]=h(Nc);return Ic()?a`<${w} icon="bell" pressed=${e} onClick=${async()=>{if(e)return localStorage.removeItem(Dr),t(!1);if(await Notification.requestPermission()!=="granted")return $e("The browser does not allow notifications. Change its settings for this site.","failed");localStorage.setItem(Dr,"yes"),t(!0)}}>Notify me<//>`:null}var Dr,Ic,Nc,Pr=E(()=>{v();ee();U();He();Kt();We();Dr="tallystick.notify",Ic=()=>"Notification"in window&&window.isSecureContext,Nc=()=>localStorage.getItem(Dr)==="yes"&&Ic()&&Notification.permission==="granted"});function Hc({approvals:e,onVerdict:t,onClear:n}){return a`<div class="batch-bar" role="region" aria-label="Selected questions">
    <strong>${e.length} selected</strong>
    <${w} kind="primary" icon="check" onClick=${()=>t("approve")}>Accept<//>
    <${w} icon="close" onClick=${()=>t("reject")}>Reject<//>
    <${w} kind="ghost" onClick=${n}>Clear<//>
  </div>`}function Uc({approvals:e,verdict:t,onClose:n}){let[o,s]=h(""),[r,i]=h({}),[l,c]=h(!1),[d]=h(()=>Object.fromEntries(e.map(g=>[g.id,on()]))),u=t==="approve",p=Object.keys(r).length,$=()=>n(Object.values(r).filter(g=>g.ok).map(g=>g.id)),f=async g=>{g.preventDefault(),c(!0);for(let b of e){let C={verdict:t,...o.trim()?{reason:o.trim()}:{}},M=await ih(b.id,C,d[b.id]);i(y=>({...y,[b.id]:M}))}};return a`<${Ze} wide title=${`${u?"Accept":"Reject"} ${e.length} questions`} onClose=${$}>
    <form class="batch" onSubmit=${f}>
      <p class="soft">Each question is decided separately, and bound to its own exact arguments. If one fails, the others are still decided.</p>
      <ul class="batch-rows">
        ${e.map(g=>a`<li key=${g.id}>
          <div class="batch-question">
            <span><${m} text=${g.question} /></span>
            ${g.tool&&a`<pre class="batch-call" tabindex="0"><${m} text=${g.tool} /> <${De} text=${et(g.arguments??{})} /></pre>`}
          </div>
          <${lh} outcome=${r[g.id]} sent=${l} />
        </li>`)}
      </ul>
      ${l?a`<p role="status">${p<e.length?`Deciding ${p+1} of ${e.length}…`:ch(r)}</p>
            <${w} kind="primary" disabled=${p<e.length} onClick=${$}>Close<//>`:a`<label class="field"><span>One reason for all</span>
              <input type="text" value=${o} maxlength="2000" onInput=${g=>s(g.target.value)} /></label>
            <div class="verdict-send">
              <${w} kind=${u?"primary":"danger"} type="submit" icon=${u?"check":"close"}>
                ${u?"Accept":"Reject"} all ${e.length}
              <//>
              <${w} kind="ghost" onClick=${$}>Not yet<//>
            </div>`}
    </form>
  <//>`}function lh({outcome:e,sent:t}){return e?a`<span class=${`batch-outcome tone-${e.ok?"ok":"failed"}`}>
    <${S} name=${e.ok?"check":"warning"} /> ${e.ok?Rt(e.status):e.problem}
  </span>`:a`<span class="batch-outcome faint">${t?"waiting":""}</span>`}function ch(e){let t=Object.values(e),n=t.filter(o=>o.ok).length;return n===t.length?`All ${n} were decided.`:`${n} of ${t.length} were decided; the others show the reason.`}var ih,Wc=E(()=>{G();v();se();z();je();nn();Rn();ih=Oo({get:T,post:Te})});function qt(e,t){return e.status==="pending"&&Jn(e.expires??"",t).urgency==="over"?"expired":e.status}function Vo({expires:e=""}){let t=me("zone"),{text:n,urgency:o}=Jn(e,we());return o==="none"?a`<span class="expiry faint">${n}</span>`:a`<time class=${`expiry expiry-${o}`} dateTime=${e} title=${`expires ${en(e,t)}`}>
    <${S} name=${o==="soon"?"warning":"late"} size=${14} /> ${n}
  </time>`}var Go=E(()=>{v();se();mt();Ve();Uo()});function Kc({approval:e}){let{data:t}=P({by:[e.id],kinds:["body_erased"]},r=>uh(e,r));if(!t||!e.execution_id)return null;let{why:n,plan:o,actions:s}=t;return a`<aside class="background" aria-label="Background">
    ${n&&a`<section><h3>Why it is asked</h3><p><${m} text=${n} /></p></section>`}
    ${o&&(o.reasoning||o.goal)&&a`<section><h3>The plan</h3>
      <p><a href=${x(`/plans/${o.id}`)}><${m} text=${o.title||o.id} /></a></p>
      ${o.goal&&a`<p class="soft">Goal: <${m} text=${o.goal} /></p>`}
      ${o.reasoning&&a`<p class="soft">Reason: <${m} text=${o.reasoning} /></p>`}
      ${o.reason&&a`<p class="soft">Revised: <${m} text=${o.reason} /></p>`}</section>`}
    <section><h3>Done before</h3>
      ${s.length?a`<ol class="background-actions">${s.map(r=>a`<li key=${r.id}>
            <a href=${x(`/x/${e.execution_id}`,{action:r.id})}><${m} text=${Yl(r)} /></a>
            <span class="background-state"><${K} state=${r.state} quiet /><span class="faint"><${I} at=${r.begun} /></span></span>
          </li>`)}</ol>`:a`<p class="soft">Nothing was recorded before the question.</p>`}</section>
  </aside>`}async function uh(e,t){let n=e.execution_id;if(!n)return{why:"",plan:null,actions:[]};let[o,s,r]=await Promise.all([ph(e,t),e.plan_id?T(`/v1/plans/${encodeURIComponent(e.plan_id)}`,{},{signal:t}).catch(()=>null):null,T("/v1/actions",{execution_id:n,until:e.asked,newest_first:!0,limit:dh},{signal:t})]),i=s?.revisions?.reduce((l,c)=>c.revision>l.revision?c:l);return{why:o,plan:i||null,actions:r.actions}}async function ph(e,t){let o=(await T("/v1/entries",{id:e.id,execution_id:e.execution_id,limit:1},{signal:t})).entries[0]?.seq;if(!o)return"";let r=(await T("/v1/entries",{execution_id:e.execution_id,after:o,limit:1},{signal:t})).entries[0];return r?.facts?.approval_id===e.id&&r.body?.why||""}var dh,Vc=E(()=>{G();vr();v();ee();U();z();dh=5});function Yc(e){let t=e.failure_policy??"manual_decision";return typeof t=="string"?{action:t,reason:"",to:[]}:{action:t.action??"manual_decision",reason:t.reason??"",to:t.propagate_to??[]}}function Jo(e){return e?typeof e=="string"?{words:e,tool:""}:e.words||e.tool?{words:e.words??"",tool:e.tool??"",arguments:e.arguments}:null:null}function Xc(e,t){let n=new Map(e.map((i,l)=>[i.id,l])),o=t.filter(i=>n.has(i.id)).map(i=>i.id),s=e.filter(i=>t.some(l=>l.id===i.id)).map(i=>i.id),r=t.map(i=>{let l=n.get(i.id);if(l===void 0)return{id:i.id,change:"added",after:i,fields:[]};let c=vo(e[l],i),d=[...new Set(c.map($=>ko($.path.slice(0,1))))],u=o.indexOf(i.id)!==s.indexOf(i.id),p=d.length?"changed":u?"moved":"same";return{id:i.id,change:p,before:e[l],after:i,fields:d}});return e.forEach((i,l)=>{if(t.some(u=>u.id===i.id))return;let c=e.slice(l+1).find(u=>r.some(p=>p.id===u.id)),d=c?r.findIndex(u=>u.id===c.id):r.length;r.splice(d,0,{id:i.id,change:"removed",before:i,fields:[]})}),r}function Qc(e,t){return["title","goal","reasoning"].filter(n=>(e[n]??"")!==(t[n]??"")).map(n=>({name:n,before:e[n]??"",after:t[n]??""}))}var Gc,Jc,Yo=E(()=>{So();Gc={reversible:{word:"reversible",icon:"unwinding",tone:"ok"},"partially-reversible":{word:"partly reversible",icon:"owed",tone:"doubt"},irreversible:{word:"irreversible",icon:"cancelled",tone:"failed"}},Jc={cancel_all:"cancel all",cancel_dependent:"cancel dependent steps",continue_others:"continue other steps",manual_decision:"a person or agent decides"}});function Zc({steps:e,chosen:t=""}){return a`<ol class="steps">
    ${e.map((n,o)=>a`<li key=${n.id} id=${`step-${n.id}`} class=${n.id===t?"is-chosen":null}>
      <span class="step-number num" aria-hidden="true">${o+1}</span>
      <div class="step-body"><${Br} step=${n} /></div>
    </li>`)}
  </ol>`}function Br({step:e}){return a`
    <div class="step-head">
      <h3><${m} text=${e.title||e.id} /></h3>
      <code class="soft"><${m} text=${e.id} /></code>
      <span class="step-end">
        ${e.needs_approval&&a`<${ne} tone="waiting" icon="person">needs approval<//>`}
        <${zr} step=${e} />
      </span>
    </div>
    <dl class="step-facts">
      ${e.tool&&a`<div><dt>tool</dt><dd><code><${m} text=${e.tool} /></code> <span class="soft">${e.effect??"unsafe"}</span></dd></div>`}
      <div><dt>after</dt><dd>${e.after?.length?e.after.map((t,n)=>a`${n?", ":""}<a href=${`#step-${t}`} data-native><${m} text=${t} /></a>`):a`<span class="faint">nothing</span>`}</dd></div>
      <div><dt>undo</dt><dd><${fh} step=${e} /></dd></div>
      <div><dt>if it fails</dt><dd><${$h} step=${e} /></dd></div>
      <div><dt>estimate</dt><dd>${e.estimate===void 0||e.estimate===null?a`<span class="faint">none</span>`:ue(e.estimate*1e3)}</dd></div>
      ${e.probe?a`<div><dt>probe</dt><dd><${m} text=${typeof e.probe=="string"?e.probe:e.probe.words||e.probe.tool} /></dd></div>`:null}
    </dl>
    ${e.arguments&&Object.keys(e.arguments).length?a`<details class="step-arguments"><summary>Arguments</summary><${ie} value=${e.arguments} label=${`arguments of ${e.id}`} whole /></details>`:null}`}function zr({step:e}){let{word:t,icon:n,tone:o}=Gc[e.cancellable]??{word:e.cancellable,icon:"planned",tone:"idle"};return a`<${ne} tone=${o} icon=${n}>${t}<//>`}function fh({step:e}){let t=Jo(e.undo),n=e.undo_until?a` <span class="soft">until ${e.undo_until} after its end</span>`:null;return t?a`<${m} text=${t.words} />${t.tool&&a` <code><${m} text=${t.tool} /> ${t.arguments&&a`<${m} text=${re(t.arguments)} />`}</code>`}${n}`:e.effect==="read"?a`<span class="faint">it only reads</span>`:e.cancellable==="irreversible"?a`<span class="faint">cannot be undone</span>`:a`<span class="step-warning"><${S} name="warning" size=${14} /> no undo recorded</span>`}function $h({step:e}){let{action:t,reason:n,to:o}=Yc(e);return a`${Jc[t]??t}${o.length?a` (<${m} text=${o.join(", ")} />)`:null}${n&&a` <span class="soft">because <${m} text=${n} /></span>`}`}var Xo=E(()=>{v();se();Re();z();Yo()});function rd(e){let t=sd(e);return bh.test(t)?"switch":yh.test(t)?"amount":xh.test(t)?"target":""}function _h(e,t){return/^dry_?run$/.test(sd(e))?t===!0?"a rehearsal":t===!1?"not a rehearsal":"":t===!0?"is on":""}function Ur(e){let t={first:[],plain:[],lists:[],nested:[]};if(!Bt(e)||Array.isArray(e))return Array.isArray(e)&&t.lists.push(["arguments",e]),t;for(let[n,o]of Object.entries(e))Array.isArray(o)&&o.length?t.lists.push([n,o]):Bt(o)&&Object.keys(o).length?t.nested.push([n,o]):ad(t,[n],o);for(let[n,o]of t.nested)id(t,[n],o);return t.first.sort((n,o)=>ed.indexOf(n.danger)-ed.indexOf(o.danger)),t}function ad(e,t,n){let o=t[t.length-1],s=rd(o),r={path:t,value:n,danger:s,note:s==="switch"?_h(o,n):""};(s?e.first:e.plain).push(r)}function id(e,t,n){if(!(!Bt(n)||Array.isArray(n)||t.length>=mh))for(let[o,s]of Object.entries(n))Bt(s)?id(e,[...t,o],s):rd(o)&&ad(e,[...t,o],s)}function cd(e){return e.length>1&&e.every(n=>Bt(n)&&!Array.isArray(n))?[...new Set(e.flatMap(n=>Object.keys(n)))]:[]}function Wr(e){let t=e.map(s=>typeof s=="number"||s instanceof Ee?String(s):"");if(t.every(s=>wh.test(s)))return vh(t);let n=new Map;for(let s of e){let r=re(s,{sorted:!0});n.set(r,(n.get(r)||0)+1)}if(n.size===1)return`the same in all ${e.length}: ${Fr([...n.keys()][0])}`;if(n.size<=gh)return[...n].map(([s,r])=>`${r} × ${Fr(s)}`).join(", ");let o=[...n.values()].filter(s=>s>1).length;return`${n.size} different${o?`, ${o} of them more than once`:""}`}function vh(e){let t=Math.max(...e.map(l=>(l.split(".")[1]||"").length)),n=e.map(l=>BigInt(l.replace(".","")+"0".repeat(t-(l.split(".")[1]||"").length))),o=n.toSorted((l,c)=>l<c?-1:l>c?1:0),[s,r]=[o[0],o[o.length-1]].map(l=>td(l,t)),i=td(n.reduce((l,c)=>l+c,0n),t);return`${s===r?`each ${s}`:`${s} to ${r}`}, together ${i}`}function td(e,t){let n=String(e<0n?-e:e).padStart(t+1,"0"),o=t?`${n.slice(0,-t)}.${n.slice(-t)}`:n;return e<0n?`-${o}`:o}function dd(e,t){let{first:n,plain:o,lists:s,nested:r}=Ur(t),i=new Set(r.map(([u])=>u)),l=[...n,...o].map(({path:u,value:p})=>`${u.map(Ne).join(".")} ${Fr(re(p))}`),c=[...i].filter(u=>!n.some(({path:p})=>p[0]===u));return[/\s/.test(e)?JSON.stringify(e):e,...l,...s.map(([u,p])=>`${p.length} ${Ne(u)}`),...c.map(u=>`${Ne(u)} {…}`)].filter(Boolean).join(" · ")}function ud(e,t){let n=Hr(e,t);return{undo:n,waits:Sh.test(typeof n=="string"?n:re(n??null))}}function Hr(e,t){if(Array.isArray(e))return e.map(o=>Hr(o,t));if(Bt(e))return Object.fromEntries(Object.entries(e).map(([o,s])=>[o,Hr(s,t)]));if(typeof e!="string")return e;let n=e.match(/^\$\{arguments((?:\.[^.{}]+)+)\}$/);return n?od(n[1],t)??e:e.replace(kh,(o,s)=>{let r=od(s,t);return r===void 0?o:typeof r=="string"?r:re(r)})}function od(e,t){for(let n of e.split(".").slice(1)){if(!Bt(t)||!Object.hasOwn(t,n))return;t=t[n]}return t===null||typeof t=="string"&&t.startsWith("[masked")?void 0:t}var mh,hh,gh,bh,yh,xh,sd,Bt,ed,ld,wh,nd,Fr,kh,Sh,Kr=E(()=>{dt();Re();We();mh=4,hh=8,gh=3,bh=/^(dry_?run|forced?|recursive|overwrite|confirm(ed)?|yes|all|permanent(ly)?|hard|purge|cascade|prune|wipe|unsafe|insecure|public|sudo|privileged|auto_?approve|(no|skip|allow|ignore|delete|disable)_\w+)$/,yh=/(^|_)(amount|total|sum|price|cost|fee|budget|currency|quantity|count|limit|max|percent|rate|days|replicas)$/,xh=/(^|_)(to|target|destination|dest|recipients?|host(name)?|server|ur[li]|path|file(name)?|dir(ectory)?|folder|bucket|branch|env(ironment)?|region|cluster|namespace|database|db|table|account|user|email|role|project|tenant|domain|channel|command|cmd|query|sql|script)$/,sd=e=>e.replace(/([a-z0-9])([A-Z])/g,"$1_$2").replace(/[\s.-]+/g,"_").toLowerCase(),Bt=e=>typeof e=="object"&&e!==null&&!(e instanceof Ee);ed=["switch","amount","target"];ld=e=>e.length>hh;wh=/^-?\d+(?:\.\d+)?$/;nd=40,Fr=e=>e.length>nd?`${e.slice(0,nd)}…`:e;kh=/\$\{arguments((?:\.[^.{}]+)+)\}/g,Sh=/\$\{result[^{}]*\}/});function fd({approval:e}){let t=e.arguments,n=t==null||!Object.keys(t).length;return a`<${D} class="call" level=${3} actions=${e.cancellable&&a`<${zr} step=${e} />`} title=${a`${e.unbound?"A call of":"Exactly this call:"} <code><${m} text=${e.tool||"unnamed tool"} /></code>`}>
    ${n?a`<p class="soft">No arguments.</p>`:a`<${Th} value=${t} />`}
    <${Lh} approval=${e} />
    ${e.digest&&!e.edited&&a`<p class="soft digest">An answer is bound to this call by its digest <code>${e.digest.slice(0,16)}…</code><${be} text=${e.digest} what="the digest" /></p>`}
  <//>`}function Th({value:e}){let{first:t,plain:n,lists:o,nested:s}=Ur(e),r=re(e).includes("[masked:");return a`<div class="call-arguments" role="group" aria-label="Arguments">
    ${t.length?a`<div class="call-first"><h4>Check first</h4><${pd} fields=${t} /></div>`:null}
    ${n.length?a`<${pd} fields=${n} />`:null}
    ${s.map(([i,l])=>a`<div class="call-part" key=${i}><h4><code><${m} text=${Ne(i)} /></code></h4><${ie} value=${l} label=${i} whole /></div>`)}
    ${o.map(([i,l])=>a`<${Mh} key=${i} name=${i} list=${l} />`)}
    ${r&&a`<p class="note"><${S} name="warning" size=${14} /> A secret is masked here. The call is bound to the real value, which nobody can read.</p>`}
    <${Nh} value=${e} />
  </div>`}function pd({fields:e}){return a`<dl class="call-fields">
    ${e.map(({path:t,value:n,danger:o,note:s})=>a`<div key=${t.join(".")} class=${o==="switch"?"call-field is-switch":"call-field"}>
      <dt><code><${m} text=${t.map(Ne).join(".")} /></code></dt>
      <dd><${Zt} value=${n} />${s&&a` <span class="call-note"><${S} name="warning" size=${14} /> ${s}</span>`}</dd>
    </div>`)}
  </dl>`}function Mh({name:e,list:t}){let[n,o]=h(""),[s,r]=h(!1),i=Me(),l=ld(t),c=t.map(($,f)=>({value:$,at:f})).filter(({value:$})=>!n||Ch($).includes(n.toLowerCase())),d=s||!l?c:c.slice(0,Eh),u=cd(t),p=c.length-d.length;return a`<section class="call-part call-list" aria-labelledby=${i}>
    <h4 id=${i}><code><${m} text=${Ne(e)} /></code> <span class="call-count">${t.length} ${t.length===1?"item":"items"}</span></h4>
    ${l&&a`<${Ah} list=${t} columns=${u} />`}
    ${l&&a`<label class="call-filter"><span class="visually-hidden">Filter ${e}</span>
      <input type="search" placeholder=${`Filter the ${t.length} items`} value=${n} onInput=${$=>o($.target.value)} /></label>`}
    ${u.length?a`<${Oh} name=${e} rows=${d} columns=${u} />`:a`<${Ih} rows=${d} />`}
    ${l&&a`<p class="call-more" role="status">
      ${n?`${c.length} of ${t.length} match. `:""}${p>0?a`<strong>${p} more ${p===1?"item is":"items are"} not shown.</strong> `:`All ${c.length} are shown.`}
      ${p>0&&a`<button type="button" class="button button-plain" onClick=${()=>r(!0)}>Show all ${c.length}</button>`}
    </p>`}
  </section>`}function Ah({list:e,columns:t}){return t.length?a`<dl class="call-summary">${t.map(n=>{let o=e.filter(r=>Object.hasOwn(r,n)).map(r=>r[n]),s=e.length-o.length;return a`<div key=${n}><dt><code><${m} text=${Ne(n)} /></code></dt><dd><${m} text=${`${Wr(o)}${s?`, missing in ${s}`:""}`} /></dd></div>`})}</dl>`:a`<p class="call-summary"><${m} text=${Wr(e)} /></p>`}function Oh({name:e,rows:t,columns:n}){return a`<div class="table-scroll" tabindex="0" role="region" aria-label=${`Items of ${e}`}>
    <table class="table call-table">
      <thead><tr><th scope="col">item</th>${n.map(o=>a`<th scope="col"><code><${m} text=${Ne(o)} /></code></th>`)}</tr></thead>
      <tbody>${t.map(({value:o,at:s})=>a`<tr key=${s}><th scope="row" class="num">${s+1}</th>
        ${n.map(r=>a`<td>${Object.hasOwn(o,r)?a`<${$d} value=${o[r]} />`:a`<span class="faint">missing</span>`}</td>`)}</tr>`)}</tbody>
    </table>
  </div>`}function Ih({rows:e}){return a`<ol class="call-items">${e.map(({value:t,at:n})=>a`<li key=${n}><span class="faint num">${n+1}</span> <${$d} value=${t} /></li>`)}</ol>`}function $d({value:e}){return typeof e=="object"&&e!==null&&!(e instanceof Ee)?a`<code class="call-json"><${De} text=${re(e)} /></code>`:a`<${Zt} value=${e} />`}function Nh({value:e}){let[t,n]=h(!1),o=re(e,{indent:2});return a`<details class="call-whole" onToggle=${s=>n(s.target.open)}>
    <summary>All arguments as JSON <span class="faint">${o.length} characters</span></summary>
    ${t&&a`<pre class="text" tabindex="0"><${De} text=${o} /></pre>`}
  </details>`}function Lh({approval:e}){if(!e.cancellable)return null;let{undo:t,waits:n}=ud(e.undo,e.arguments),o=Jo(t);return a`<div class="call-undo">
    <p>${e.cancellable==="irreversible"?a`<span class="soft">It cannot be undone.</span>`:o?a` <span class="soft">To undo it:</span> <${m} text=${o.words} />${o.tool&&a` <code><${m} text=${o.tool} /></code>`}`:a` <span class="soft">No undo is recorded.</span>`}</p>
    ${o?.tool&&o.arguments&&Object.keys(o.arguments).length?a`<${ie} value=${o.arguments} label="arguments of the undo" whole />`:null}
    ${n&&a`<p class="soft">A part of it, written <code>\${result…}</code>, is known after the call.</p>`}
  </div>`}var Eh,Ch,md=E(()=>{v();se();dt();Re();Xo();Yo();z();An();je();We();Kr();Eh=8;Ch=e=>(typeof e=="string"?e:re(e)).toLowerCase()});function gd({approval:e,onChoose:t,last:n=""}){let{options:o=[]}=e,s=A(null);_(()=>{n&&s.current?.querySelector(`.verdict-${n}`)?.focus()},[]);let r=i=>{Rs(cn(e),{..._n(cn(e)),verdict:"respond",answer:i}),t("respond")};return a`<div class="verdict-bar" ref=${s}>
    ${o.length?a`<div class="verdict-options" role="group" aria-label="Offered by the agent">
          <span class="soft">${at(e)?"Answer without granting the call:":"Answer:"}</span>
          ${o.map(i=>a`<${w} key=${i} kind=${at(e)?"plain":"primary"} class="verdict-option" onClick=${()=>r(i)}><${m} text=${i} /><//>`)}
        </div>`:null}
    <div class="verdicts" role="group" aria-label="Answer" tabindex="-1">
      ${Object.entries(Ln).filter(([i])=>Vr(e,i)).map(([i,{verb:l,key:c}])=>a`<${w}
          key=${i} kind=${i==="approve"?"primary":"plain"} icon=${hd[i]}
          class=${`verdict verdict-${i}`} aria-keyshortcuts=${c} onClick=${()=>t(i)}
        >${l}<//>`)}
    </div>
  </div>`}function Vr(e,t){return t==="edit"?at(e):t!=="approve"||at(e)||!!e.step||!e.options?.length}function bd(e){let{verdict:t=""}=_n(cn(e));return t in Ln?t:""}function yd({approval:e,verdict:t,decide:n,over:o=!1,may:s=!0,onSend:r,onDone:i,onCancel:l}){let c=ki(et(e.arguments??{})),[d,u,p]=lo(cn(e),{reason:"",answer:"",text:c,key:"",sent:""}),[$,f]=h(!1),[g,b]=h(!1),C=A(null),M=Me(),y=Xi(e,t,d),k="problem"in y?y:null,O=L=>W=>u({verdict:t,[L]:W.target.value}),V=A(!1);_(()=>{if(V.current&&!co())return;V.current=!0;let L=matchMedia("(pointer: coarse)").matches&&t!=="edit";C.current?.querySelector(L?"[type=submit]":"textarea, input")?.focus({preventScroll:!0})},[s]);let j=async L=>{if(L.preventDefault(),f(!0),k||g||o||!s)return;b(!0),r?.();let{body:W}=y,J=re(W),oe=d.sent===J&&d.key?d.key:on();u({verdict:t,sent:J,key:oe});let q=await n(e.id,W,oe);q.ok&&p(),b(!1),i(q)},R=()=>{o?p():u({verdict:""}),l()};return a`<form class="verdict-form" ref=${C} onSubmit=${j} onKeyDown=${L=>{L.key==="Escape"&&(L.stopPropagation(),R()),L.key==="Enter"&&(L.metaKey||L.ctrlKey)&&j(L)}} aria-labelledby=${`${M}-title`}>
    <h3 id=${`${M}-title`}>${Rh[t]}</h3>
    ${t==="edit"&&a`<${Ph} approval=${e} text=${d.text} onInput=${O("text")} />`}
    ${t==="respond"&&a`<${jh} approval=${e} value=${d.answer} onInput=${O("answer")} onPick=${L=>u({verdict:t,answer:L})} />`}
    <label class="field">
      <span>Reason <span class="faint">recorded in the journal, and shown to the agent</span></span>
      <input type="text" value=${d.reason} onInput=${O("reason")} autocomplete="off" maxlength="2000" />
    </label>
    <p class="field-problem" role="alert">${$&&k?k.problem:""}</p>
    <div class="verdict-send">
      ${s&&a`<${w} kind=${t==="reject"?"danger":"primary"} type="submit" disabled=${g||o} icon=${hd[t]}>${Dh[t]}<//>`}
      <${w} kind="ghost" onClick=${R}>${o?"Close":"Not yet"}<//>
    </div>
  </form>`}function Ph({approval:e,text:t,onInput:n}){let o=Me(),s=$r(t),r=re(e.arguments??{}).includes("[masked:");return a`<div class="editor">
    <label class="field" for=${o}><span>Arguments of <code><${m} text=${e.tool||"the call"} /></code>, as JSON</span></label>
    <textarea
      id=${o} class="editor-text" spellcheck="false" autocapitalize="off" autocomplete="off"
      rows=${Math.min(18,Math.max(5,t.split(`
`).length+1))} value=${t}
      aria-invalid=${"problem"in s?"true":null} aria-describedby=${`${o}-status`} onInput=${n}
    ></textarea>
    <p id=${`${o}-status`} class="editor-status" role="status">
      ${"problem"in s?a`<${S} name="warning" size=${14} /> ${s.problem}`:a`<${S} name="check" size=${14} /> Valid JSON`}
    </p>
    ${r&&a`<p class="note"><${S} name="warning" size=${14} /> A secret is masked here. If you send it, the mask is granted as text.</p>`}
    ${"value"in s&&a`<${qe} before=${e.arguments??{}} after=${s.value} titles=${["asked","granted"]} />`}
    <p class="note soft">
      An edit makes a new digest: the agent may call <code><${m} text=${e.tool||"the tool"} /></code> once, with exactly these
      arguments. The original call is not granted.
    </p>
  </div>`}function jh({approval:e,value:t,onInput:n,onPick:o}){return a`
    ${e.options?.length?a`<${ae} label="Suggested answers" value=${t} choices=${e.options.map(s=>[s,a`<${m} text=${s} />`])} onChange=${o} />`:null}
    <label class="field">
      <span>Answer <span class="faint">shown to the agent; it grants no call</span></span>
      <textarea rows="3" value=${t} onInput=${n} required></textarea>
    </label>`}var hd,at,cn,Rh,Dh,Gr=E(()=>{Wt();uo();v();se();Re();He();sr();An();je();We();nn();Rn();hd={approve:"check",edit:"edit",reject:"close",respond:"reply"};at=e=>!!(e.tool||e.arguments);cn=e=>ao("approval",e.id,e.asked);Rh={approve:"Grant exactly what is shown above",edit:"Grant other arguments instead",reject:"Reject the call",respond:"Answer the agent without granting a call"},Dh={approve:"Accept exactly this",edit:"Grant the edited call",reject:"Reject it",respond:"Send the answer"}});function xd({approval:e,mayDecide:t,verdict:n,onVerdict:o,onSend:s,onDone:r,rejection:i}){let l=qt(e,we()),c=l==="pending";return a`<article class="question" aria-labelledby="question-title">
    <header class="question-head">
      <div class="question-line">
        <${K} state=${l} />
        ${e.status==="pending"&&a`<${Vo} expires=${e.expires} />`}
        <span class="question-handle"><${Ue} id=${e.id} /></span>
      </div>
      <h2 id="question-title"><${m} text=${e.question||"Question without text"} /></h2>
      <p class="soft">
        Asked ${e.actor&&a`by <strong><${m} text=${e.actor} /></strong> `}<${I} at=${e.asked} />
        ${e.execution_id&&a` in <a href=${x(`/x/${e.execution_id}`)}><${m} text=${e.title||e.execution_id} /></a>`}
        ${e.step&&a`, for the step <a href=${x(`/x/${e.execution_id}`,{step:e.step})}><${m} text=${e.step_title||e.step} /></a>`}
      </p>
    </header>
    <div class="question-body">
      <div class="question-main">
        ${at(e)?a`<${fd} approval=${e} />`:!e.unbound&&a`<p class="note">It asks in words only: an answer grants no call.</p>`}
        ${e.unbound&&a`<p class="warning-note"><${S} name="warning" /> This approval is not bound to an exact call. It grants <${m} text=${e.unbound} />.</p>`}
        ${e.options?.length&&!(c&&t)?a`<p class="soft">Suggested answers: ${e.options.map((d,u)=>a`${u?", ":""}<strong><${m} text=${d} /></strong>`)}</p>`:null}
        ${c?null:a`<${zh} approval=${e} status=${l} />`}
        <${Fh} approval=${e} />
      </div>
      <${Kc} approval=${e} />
    </div>
    <div class=${te("dock",(c||n)&&"dock-pending")}>
      ${i&&a`<p class="warning-note" role="alert"><${S} name="warning" /> ${i}</p>`}
      ${(c||n)&&a`<${Bh} over=${!c} approval=${e} mayDecide=${t} verdict=${n} onVerdict=${o} onSend=${s} onDone=${r} />`}
    </div>
  </article>`}function Bh({approval:e,over:t,mayDecide:n,verdict:o,onVerdict:s,onSend:r,onDone:i}){let l=A(""),c=A(null),d=A(!1);return _(()=>{n&&d.current&&!o&&c.current?.querySelector(".verdicts")?.focus(),d.current=n===!1},[n]),o&&(l.current=o),Se()?a`<p class="note"><${S} name="import" /> This is an imported export: nothing can be decided in it.</p>`:!o&&(n===null||t)?null:a`<div class=${te("answering",o&&"is-open")} ref=${c}>
    ${n&&at(e)&&a`<p class="dock-call" title="The call in short; above, all of it"><${m} text=${dd(e.tool||"",e.arguments)} /></p>`}
    ${o?a`<${yd} key=${e.id+o} approval=${e} verdict=${o} decide=${qh} over=${t} may=${!!n} onSend=${r} onDone=${i} onCancel=${()=>s("")} />`:n&&a`<div class="answering-bar">
          <${gd} approval=${e} onChoose=${s} last=${l.current} />
          <p class="soft answering-note">${e.expires?"After the time limit it expires: a timeout is never a yes.":"There is no time limit. Silence is never a yes."}</p>
        </div>`}
    ${n===!1&&!t&&a`${o&&a`<p class="note" role="status"><${S} name="save" /> What you typed is kept in this browser.</p>`}<${Je} />`}
  </div>`}function zh({approval:e,status:t}){return t==="expired"?a`<p class="note">
      <${S} name="late" /> It expired <${I} at=${e.expires??""} /> without an answer. A timeout is never a
      yes: nothing was granted, and the agent has to ask again.
    </p>`:t==="closed"?a`<p class="note"><${S} name="late" /> Its execution ended without an answer. Nothing was granted.</p>`:a`<${D} level=${3} title="Answer">
    <${Le} rows=${[["by",e.decided_by&&a`<${m} text=${e.decided_by} />`],["in",e.answered_in&&a`<${m} text=${e.answered_in} />`],["when",a`<${I} at=${e.decided??""} form="absolute" />`],["reason",e.reason&&a`<${m} text=${e.reason} />`],["answer",e.answer&&a`<${m} text=${e.answer} />`],["used by",e.used_by&&a`<a href=${x(`/x/${e.execution_id}`,{action:e.used_by})}><code>${e.used_by}</code></a>`],["used",!e.used_by&&(t==="approve"||t==="edit")?"not yet: valid for one call":""]]} />
    ${e.edited!==void 0&&e.edited!==null?a`<h4>Granted instead</h4>
          <${qe} before=${e.arguments??{}} after=${e.edited} titles=${["asked","granted"]} />`:null}
  <//>`}function Fh({approval:e}){let[t,n]=h(!1);return _(()=>n(!1),[e.id]),a`<details class="evidence" open=${t} onToggle=${o=>n(o.target.open)}>
    <summary>Entries in the journal</summary>
    ${t&&a`<${Hh} approval=${e} />`}
  </details>`}function Hh({approval:e}){let{data:t}=P({by:[e.id,e.status],kinds:["approval_"]},n=>T("/v1/entries",{id:e.id,execution_id:e.execution_id,newest_first:!0,limit:10},{signal:n}));return t?a`<ul class="evidence-rows">
    ${t.entries.toReversed().map(n=>a`<li key=${n.seq}>
      <a href=${x(`/x/${e.execution_id}`,{tab:"journal",entry:n.seq})}>entry ${n.seq}</a>
      <span>${n.kind==="approval_requested"?"asked":"answered"} by <${m} text=${n.facts?.credential||n.actor} /></span>
      <${I} at=${n.at} form="absolute" />
      ${n.facts?.effect_key&&a`<span class="digest">digest <code>${n.facts.effect_key.slice(0,16)}…</code><${be} text=${n.facts.effect_key} what="the digest" /></span>`}
    </li>`)}
  </ul>`:a`<p class="loading">Loading…</p>`}var qh,_d=E(()=>{G();v();se();ee();U();z();mt();Vc();md();Kr();sn();Rn();Go();Gr();qh=Oo({get:T,post:Te})});function wd({label:e,approvals:t,chosen:n,now:o,marked:s,onMark:r}){let i=A(null);return _(()=>i.current?.querySelector(".is-chosen")?.scrollIntoView({block:"nearest"}),[n]),a`<ul class="questions" ref=${i} aria-label=${e}>
    ${t.map(l=>{let c=qt(l,o),d=l.id===n;return a`<li key=${l.id} class=${te("question-row",d&&"is-chosen")}>
        ${s&&a`<label class="question-mark">
          <input type="checkbox" checked=${s.has(l.id)} disabled=${c!=="pending"} onChange=${()=>r?.(l.id)} />
          <span class="visually-hidden">Select “${_e(l.question||l.id)}”</span>
        </label>`}
        <a href=${x(`/approvals/${l.id}`,Wh())} aria-current=${d?"true":null}>
          <span class="question-text"><${m} text=${l.question||l.id} /></span>
          <span class="question-about">
            ${l.tool?a`<code><${m} text=${l.tool} /></code>`:a`<span class="faint">a question</span>`}
            <span class="soft cut">${l.actor?a`<${m} text=${l.actor} />, `:null}<${I} at=${l.asked} /></span>
            <span class="question-state">
              ${c==="pending"?a`<${Vo} expires=${l.expires} />`:a`<${K} state=${c} quiet />`}
            </span>
          </span>
          ${l.decided&&a`<${Uh} approval=${l} />`}
        </a>
      </li>`})}
  </ul>`}function Uh({approval:e}){let t=e.answer||e.reason;return a`<span class="question-answered soft">
    <span class="question-verdict">${Rt(e.status)}</span> by <strong><${m} text=${e.decided_by||e.answered_in||"nobody known"} /></strong>, <${I} at=${e.decided} />${t&&a`: “<${m} text=${t} />”`}
  </span>`}function Wh(){let e=new URLSearchParams(location.search);return{tab:e.get("tab"),status:e.get("status"),execution:e.get("execution")}}var vd=E(()=>{v();U();Qs();je();mt();We();nn();Go()});var Ed={};Ce(Ed,{Page:()=>Gh});function Gh({id:e="",query:t}){let n=t.get("tab")==="history",o=t.get("status")||"",s=t.get("execution")||"",r={tab:n&&"history",status:o,execution:s},[i,l]=h(Jr),c=P({by:[n,o,s,i],kinds:kd},Y=>Yh({past:n,status:o,execution:s,limit:i},Y)),d=P({by:[e],kinds:kd},Y=>e?T(`/v1/approvals/${encodeURIComponent(e)}`,{},{signal:Y}):Promise.resolve(null)),u=Oe(),p=we(),[$,f]=h(()=>new Set),[g,b]=h(""),[C,M]=h(null),[y,k]=h({id:"",text:"",unreachable:!1});yo(()=>k(Y=>Y.unreachable?{...Y,text:""}:Y));let O=c.data?.name===Sd({past:n,status:o,execution:s}),V=O&&c.data?c.data.approvals:[],j=Zh(),R=d.data?.id===e?d.data:null,B=V[0]?.id??"",L=V.filter(Y=>$.has(Y.id)&&qt(Y,p)==="pending");ke(()=>b(R?.status==="pending"?bd(R):""),[e,R?.id]);let W=A(""),J=R?qt(R,p):"";_(()=>{!R||!g||J==="pending"||W.current===R.id||k({id:R.id,text:Ao({},{...R,status:J}),unreachable:!1})},[J]);let oe=A(!1),q=A({id:"",at:0});_(()=>{!e&&B&&(j||s&&V.length===1)&&(oe.current&&(q.current={id:B,at:performance.now()}),ce(x(`/approvals/${B}`,r),{replace:!0})),oe.current=O&&!B},[j,e,B,s,O]);let xe=Y=>{let xt=V.findIndex(mn=>mn.id===e),_t=V[Math.max(0,Math.min(V.length-1,xt+Y))];_t&&ce(x(`/approvals/${_t.id}`,r),{replace:!!e})},Xe=Y=>f(xt=>{let _t=new Set(xt);return _t.delete(Y)||_t.add(Y),_t}),ve=Y=>{Y.ok&&(b(""),R&&Ds(cn(R))),Y.refused&&ut(),W.current=Y.ok?Y.id:"",k({id:Y.id,text:Y.problem,unreachable:!!Y.unreachable}),Y.ok&&$e(`${Y.id}: ${Rt(Y.status)}.`,"ok"),c.reload(),d.reload()},yt=R&&J==="pending"&&u.may_decide&&!Se(),nt=Y=>({label:`${Jh[Y]} it`,run:()=>{q.current.id===e&&performance.now()-q.current.at<Kh?$e("This question has just arrived: read it first."):b(Y)}});return fe("Approvals",{j:{label:"Next question",run:()=>xe(1)},k:{label:"Previous question",run:()=>xe(-1)},a:yt&&Vr(R,"approve")&&nt("approve"),e:yt&&at(R)&&nt("edit"),r:yt&&nt("reject"),m:yt&&nt("respond"),x:!n&&!Se()&&R&&{label:"Select it for one answer to several",run:()=>Xe(R.id)},Escape:{label:"Cancel the answer, or go back to the list",run:()=>g?b(""):e&&ce(x("/approvals",{...r,status:""}))}}),a`<div class=${`approvals ${e?"has-chosen":""}`}>
    <section class="approvals-list" aria-label="Questions">
      <header class="page-head">
        <h1>Approvals</h1>
        <${Rc} />
      </header>
      <${On} label="Which questions" value=${n?"history":"pending"} href=${Y=>x("/approvals",{tab:Y==="history"&&Y})}
        tabs=${[{id:"pending",title:"Pending",count:n?0:V.length,tone:"waiting"},{id:"history",title:"History"}]} />
      ${s&&a`<p class="soft approvals-of">Of <a href=${x(`/x/${s}`)}><${m} text=${V[0]?.title||s} /></a>. <a href=${x("/approvals",{tab:n&&"history"})}>All questions</a></p>`}
      ${n&&a`<${Xh} status=${o} />`}
      ${!n&&u.version&&!u.may_decide&&$.size?a`<${Je} />`:null}
      ${L.length>0&&u.may_decide&&a`<${Hc} approvals=${L} onVerdict=${Y=>M({verdict:Y,approvals:L})} onClear=${()=>f(new Set)} />`}
      <${N} problem=${c.problem} retry=${c.reload} />
      ${O&&c.data?V.length?a`<${wd} label=${n?"Answered questions":"Pending questions, the soonest to expire first"}
              approvals=${V} chosen=${e} now=${p} marked=${n||Se()?void 0:$} onMark=${Xe} />
              ${c.data.more&&a`<${w} onClick=${()=>l(i+Jr)}>Show older<//>`}`:a`<${Qh} past=${n} />`:!c.problem&&a`<${H} />`}
    </section>
    <section class="approvals-one" aria-label="Question">
      ${e&&a`<a class="back" href=${x("/approvals",r)}>All questions</a>`}
      ${e&&a`<${N} problem=${d.problem} retry=${d.reload} />`}
      ${R?a`<${xd} key=${R.id} approval=${R} mayDecide=${u.version?u.may_decide:null} verdict=${g} onVerdict=${b}
            onSend=${()=>W.current=R.id} onDone=${ve} rejection=${y.id===R.id?y.text:""} />`:null}
    </section>
    ${C&&a`<${Uc} ...${C} onClose=${()=>(M(null),f(new Set),c.reload(),d.reload())} />`}
  </div>`}async function Yh({past:e,status:t,execution:n,limit:o},s){let r=[],i="";do{let l=await T("/v1/approvals",{status:e?t:"pending",execution_id:n,limit:Jr,cursor:i},{signal:s});r.push(...l.approvals.filter(c=>!e||c.status!=="pending")),i=l.next_cursor||""}while(i&&r.length<o);return{name:Sd({past:e,status:t,execution:n}),approvals:e?r:kc(r),more:!!i}}function Xh({status:e}){return a`<nav class="chips" aria-label="Answered how">
    ${Vh.map(([t,n])=>a`<a class="chip" href=${x("/approvals",{tab:"history",status:t})} aria-current=${t===e?"true":null}>${n}</a>`)}
  </nav>`}function Qh({past:e}){return e?a`<${F} icon="approvals" title="No answered questions yet." />`:a`<${F} icon="approvals" title="No questions are waiting.">
    <p>When an agent asks (<code>request_approval</code>, <code>ask_human</code>, or a gateway’s policy), the question appears here at
    once, with the exact call and its time limit. Nothing is granted before you answer.</p>
  <//>`}function Zh(){let e="(min-width: 900px)",[t,n]=h(()=>matchMedia(e).matches);return _(()=>{let o=matchMedia(e),s=()=>n(o.matches);return o.addEventListener("change",s),()=>o.removeEventListener("change",s)},[]),t}var Jr,Kh,kd,Vh,Jh,Sd,Td=E(()=>{nn();Wc();Uo();sn();Go();Pr();_d();vd();Gr();G();Wt();v();Ae();ee();U();ze();z();mt();Jr=100,Kh=2e3,kd=["approval_","action_begun","body_erased"],Vh=[["","All"],["approve","Accepted"],["edit","With changes"],["reject","Rejected"],["respond","Answered"],["used","Used"],["expired","Expired"],["closed","Closed"]];Jh={approve:"Accept",edit:"Edit",reject:"Reject",respond:"Respond to"};Sd=({past:e,status:t,execution:n})=>[e,t,n].join("/")});function Md(e,t){let n=A({by:t,rows:[],cursor:""}),[,o]=h(0),s=A(!1),i=P({by:[t]},async u=>{let p=n.current.by===t?Math.min(Math.max(n.current.rows.length,Qo),eg):Qo,$=[],f="";do{let g=await T("/v1/executions",{...e,limit:Qo,cursor:f},{signal:u});$=$.concat(g.executions),f=g.next_cursor||""}while(f&&$.length<p);return n.current=n.current.by===t?tg(n.current,$,f):{by:t,rows:$,cursor:f},n.current.by=t,n.current}),l=ye(async()=>{let{rows:u,cursor:p}=n.current;if(!(!p||s.current)){s.current=!0;try{let $=await T("/v1/executions",{...e,limit:Qo,cursor:p});if(n.current.rows!==u)return;n.current={by:t,rows:u.concat($.executions),cursor:$.next_cursor||""},o(f=>f+1)}finally{s.current=!1}}},[t]),{rows:c,cursor:d}=n.current.by===t?n.current:{rows:[],cursor:""};return{...i,rows:c,all:!d,more:l}}function tg(e,t,n){let o=t.length?e.rows.findIndex(s=>s.id===t[t.length-1].id):-1;return!n||o<0||o===e.rows.length-1?{by:e.by,rows:t,cursor:n}:{by:e.by,rows:t.concat(e.rows.slice(o+1)),cursor:e.cursor}}var Qo,eg,Cd=E(()=>{G();v();ee();Qo=100,eg=300});function ng(){try{let e=JSON.parse(localStorage.getItem(Ad)||"[]");return Array.isArray(e)?e:[]}catch{return[]}}function Od(){let[e,t]=h(ng),[n,o]=h(""),s=Wa().query.toString(),r=c=>{localStorage.setItem(Ad,JSON.stringify(c)),t(c)},i=c=>{c.preventDefault(),n.trim()&&(r([...e.filter(d=>d.name!==n.trim()),{name:n.trim(),query:s}]),o(""))},l=e.find(c=>c.query===s);return a`<${st} label="Saved views" icon="save" word=${l?l.name:"Views"} end>
    <div class="views">
      ${e.length?null:a`<p class="soft">A view is a filter with a name.</p>`}
      <ul>
        ${e.map(c=>a`<li key=${c.name}>
            <button type="button" class="menu-item" data-close onClick=${()=>ce(`/executions?${c.query}`)}>${c.name}</button>
            <${w} kind="ghost" icon="close" label=${`Forget ${c.name}`} onClick=${()=>r(e.filter(d=>d!==c))} />
          </li>`)}
      </ul>
      <form onSubmit=${i}>
        <input aria-label="Name of this view" placeholder="Name of this view" value=${n} onInput=${c=>o(c.target.value)} />
        <${w} type="submit" kind="primary">Save</${w}>
      </form>
    </div>
  </${st}>`}var Ad,Id=E(()=>{v();U();z();Ad="tallystick.views"});var Ld={};Ce(Ld,{Page:()=>rg});function rg({query:e}){let t=e.get("q")||"",n=e.get("group")||"",o=le(()=>$c(t),[t]),s=Md(bc(o),`${t} ${e.get("journal")||""}`),r=gc(o),[i,l]=h(0);return!o.length&&s.data&&!s.rows.length?a`<${Bo} />`:a`<div class="page page-list">
    <div class="page-head">
      <h1>Executions</h1>
      <div class="page-head-end">
        <${ae} label="Group by" value=${n} choices=${[["","Flat"],["task","By task"],["agent","By agent"]]} onChange=${d=>Q({group:d})} />
        <${Od} />
      </div>
    </div>
    <${ag} text=${t} terms=${o} onEnter=${()=>l(i+1)} />
    <${N} problem=${r||s.problem} retry=${r?void 0:s.reload} />
    ${s.data&&!r?a`<${ig} live=${s} group=${n} filtered=${o.length>0} entered=${i} />`:!s.problem&&a`<${H} what="Loading executions" />`}
  </div>`}function ag({text:e,terms:t,onEnter:n}){let o=s=>Q({q:s.trim()},{replace:!0});return a`<div class="exec-filters">
    <${Ke} label="Filter executions" value=${e} onChange=${o} onEnter=${n} placeholder="status:failed agent:codex since:2d words">
      <kbd class="kbd">f</kbd>
    </${Ke}>
    <div class="exec-chips" role="group" aria-label="Quick filters">
      ${Nd.map(([s,r,i])=>{let l=t.some(c=>c.field===s&&c.value===r);return a`<${w} class="exec-chip" pressed=${l} onClick=${()=>o(Kn(yc(t,{field:s,value:r})))}>${i}</${w}>`})}
      ${t.filter(s=>!Nd.some(([r,i])=>r===s.field&&i===s.value)).map(s=>a`<${w} class="exec-chip exec-chip-term" icon="close" aria-label=${`Remove ${Kn([s])}`} onClick=${()=>o(Kn(t.filter(r=>r!==s)))}>${Kn([s])}</${w}>`)}
      ${t.length>0&&a`<${w} kind="ghost" class="exec-chip" onClick=${()=>o("")}>Clear</${w}>`}
    </div>
    <details class="hints">
      <summary><${S} name="filter" />Filters</summary>
      <dl>${fc.map(([s,r])=>a`<div><dt><code>${s}</code></dt><dd>${r}</dd></div>`)}</dl>
      <p class="soft">Words find executions with entries that contain them; <code>word*</code> finds prefixes.</p>
    </details>
  </div>`}function ig({live:e,group:t,filtered:n,entered:o}){let[s,r]=h(-1),i=me("density"),l=cg(),c=le(()=>lg(e.rows,t,e.all),[e.rows,t,e.all]),d=og[l?"phone":i==="comfortable"?"comfortable":"compact"],u=p=>{let $=s+p;for(;c[$]?.group!==void 0;)$+=p;c[$]&&r($)};return fe("Executions",{j:{label:"next execution",run:()=>u(1)},k:{label:"previous execution",run:()=>u(-1)},Enter:{label:"open it",run:()=>c[s]?.id&&ce(`/x/${c[s].id}`)}}),_(()=>{if(!o||e.loading||document.activeElement?.hasAttribute("data-search"))return;let p=c.findIndex($=>$.group===void 0);r(-1),setTimeout(()=>r(p))},[o,e.loading]),_(()=>{if(s<0)return;document.querySelector(`[data-index="${s}"] .exec-link`)?.focus({preventScroll:!0})},[s]),c.length?a`<div class="exec-list panel">
    <p class="visually-hidden" role="status">${e.rows.length}${e.all?"":" or more"} ${e.rows.length===1&&e.all?"execution":"executions"}${n?" match":""}</p>
    <${Lt}
      label="Executions"
      rows=${c}
      height=${d}
      selected=${s}
      head=${sg}
      onNear=${e.more}
      row=${(p,$)=>p.group!==void 0?a`<${xc} key=${`group ${p.group}`} ...${p} />`:a`<${an} key=${p.id} row=${p} index=${$} selected=${$===s} onFocus=${()=>r($)} />`}
    />
  </div>`:a`<${F} icon="search" title="No matching executions."><a href=${x("/executions",{})}>Show all</a></${F}>`}function lg(e,t,n){if(t!=="task"&&t!=="agent")return e;let o=new Map;for(let s of e){let r=(t==="task"?s.task_id:s.actor)||"";o.set(r,[...o.get(r)||[],s])}return[...o].flatMap(([s,r])=>[{group:s,count:r.length,by:t,more:!n},...r])}function cg(){let[e,t]=h(Zo.matches);return _(()=>{let n=()=>t(Zo.matches);return Zo.addEventListener("change",n),()=>Zo.removeEventListener("change",n)},[]),e}var Nd,og,sg,Zo,Rd=E(()=>{Ir();Fo();Cd();Ar();Id();v();se();Ae();U();Ve();z();Nd=[["status","open","Open"],["only","waiting","Waiting for a person"],["only","in_doubt","In doubt"],["only","interrupted","Interrupted"],["only","owed","Owed"],["status","failed","Failed"]],og={compact:48,comfortable:60,phone:104},sg=a`<div class="exec exec-head" aria-hidden="true">
  <span>state</span><span>execution</span><span>plan</span><span></span><span class="exec-last">last entry</span>
</div>`,Zo=matchMedia("(max-width: 720px)")});var jd={};Ce(jd,{Page:()=>ug});function ug(){let{data:e,problem:t,reload:n}=P({by:[Z()]},i=>T("/v1/alerts",{limit:100},{signal:i})),[o,s]=h(null),r=e?.alerts??[];return _(()=>{let i=setInterval(n,dg);return()=>clearInterval(i)},[]),a`<div class="page">
    <div class="page-head"><h1>Alerts</h1><p class="soft">What somebody should look at now. <code>tallystick serve --alert URL</code> sends these to chat or mail.</p></div>
    <${N} problem=${t} retry=${n} />
    ${e?r.length?a`<${D} flush><${pg} alerts=${r} onSilence=${s} /><//>
            ${e.more?.length?a`<p class="soft">There are more of: ${e.more.map(i=>Pd[i]).join(", ")}.</p>`:null}`:a`<${D}><${F} icon="check" title="Nothing needs you." /><//>`:!t&&a`<${H} />`}
    ${o&&a`<${fg} alert=${o} onClose=${()=>s(null)} onDone=${()=>(s(null),n())} />`}
  </div>`}function Dd(e){return e.rule==="question_waits"?x(`/approvals/${e.about}`):e.execution_id?x(`/x/${e.execution_id}`):""}function pg({alerts:e,onSilence:t}){return a`<ul class="alerts" aria-label="Alerts">
    ${e.map(n=>a`<li key=${`${n.rule}/${n.about}`}>
      <div>
        <p><strong>${Pd[n.rule]}</strong> · <span class="soft">since <${I} at=${n.since} />${n.who?a`, <${m} text=${n.who} />`:null}</span></p>
        <p>${Dd(n)?a`<a href=${Dd(n)}><${m} text=${n.text} /></a>`:a`<${m} text=${n.text} />`}</p>
        <p class="soft"><${m} text=${[n.title,n.to_do].filter(Boolean).join(" · ")} /></p>
      </div>
      ${n.silenced?a`<span class="soft">silenced until <${I} at=${n.silenced} /></span>`:a`<${w} onClick=${()=>t(n)}>Silence<//>`}
    </li>`)}
  </ul>`}function fg({alert:e,onClose:t,onDone:n}){let o=Oe(),[s,r]=h(""),[i,l]=h(null),c=async d=>{d.preventDefault(),await Te("/v1/alerts/silences",{rule:e.rule,about:e.about,until:es,why:s}).then(()=>($e(`Silenced for ${es}.`,"ok"),n()),l)};return a`<${Ze} title="Silence this alert" onClose=${t}>
    <p><${m} text=${e.text} /></p>
    ${o?.may_decide?a`<form onSubmit=${c}>
          <label class="field"><span>Why no messages for ${es}</span>
            <input value=${s} required onInput=${d=>r(d.target.value)} /></label>
          <${N} problem=${i} />
          <${w} kind="primary" type="submit" disabled=${!s.trim()}>Silence for ${es}<//>
        </form>`:a`<${Je} />`}
  <//>`}var Pd,es,dg,qd=E(()=>{G();sn();v();ee();U();ze();z();Pd={question_waits:"A question waits",in_doubt:"In doubt",interrupted:"Interrupted",run_held:"A run is held",run_failed:"A run failed",undo_expires:"An undo expires",hook_silent:"Hooks are silent",tool_failing:"A tool fails more than usual",step_slow:"A step takes long",verify_failed:"Verification failed"},es="8h",dg=3e4});function Bd({onDone:e}){let[t,n]=h({}),[o,s]=h(!1),[r,i]=h(null),[l,c]=h(null);if(l)return a`<${Yr} made=${l} onDone=${e} />`;let d=(p,$,f,g={})=>a`
    <label class="field" key=${p}><span>${$} ${f&&a`<span class="faint">${f}</span>`}</span>
      <input value=${t[p]||""} aria-invalid=${r?.field===p?"true":null} spellcheck="false" autocomplete="off" ...${g}
        onInput=${b=>n({...t,[p]:b.target.value})} /></label>`;return a`<form class="webhook-form" onSubmit=${async p=>{p.preventDefault();let $=Object.entries(t).map(([b,C])=>[b,C.trim()]).filter(([,b])=>b),{kinds:f,...g}=Object.fromEntries($);f&&(g.kinds=f.split(/[,\s]+/).filter(Boolean)),o&&(g.needs_person=!0),await Te("/v1/webhooks",g).then(c,i)}}>
    ${d("name","Name","small letters, digits, dots and dashes",{required:!0})}
    ${d("address","Address","https://…",{required:!0,type:"url"})}
    <label class="check"><input type="checkbox" checked=${o} onChange=${p=>s(p.target.checked)} /> Only what a person has to act on</label>
    <details><summary>Only some entries</summary>${$g.map(([p,$,f])=>d(p,$,f))}</details>
    <${N} problem=${r} />
    <${w} kind="primary" type="submit">Add it<//>
  </form>`}function Yr({made:e,onDone:t}){return a`<div class="webhook-form">
    <p>Messages are signed with this secret. It is shown this once: give it to the receiver now.</p>
    <p class="command"><code>${e.secret}</code><${be} text=${e.secret||""} what="the secret" /></p>
    ${(e.notes||[]).map(n=>a`<p class="warning-note"><${m} text=${n} /></p>`)}
    <${w} kind="primary" onClick=${t}>Done<//>
  </div>`}var $g,Xr=E(()=>{G();v();z();$g=[["kinds","Kinds of entry","such as approval_requested, with commas"],["execution_id","Execution","ex_…"],["task_id","Task",""],["tool","Tool",""],["actor","Actor","an agent or a person"]]});function dn({path:e,body:t,button:n,kind:o="primary",done:s,children:r}){let[i,l]=h(null),[c,d]=h(!1);return a`<form class="webhook-form" onSubmit=${async p=>{p.preventDefault(),d(!0),await Te(e,t||{}).then(s,l),d(!1)}}>
    ${r}
    <${N} problem=${i} />
    <${w} kind=${o} type="submit" disabled=${c}>${n}<//>
  </form>`}function mg({webhook:e,onDone:t}){let n=()=>($e("The test is recorded, and is being delivered.","ok"),t());return a`<${dn} path=${zt(e,"test")} button="Send a test" done=${n}>
    <p>An entry is recorded that is delivered to this webhook alone, as <code>webhook.test</code>.</p>
  <//>`}function hg({webhook:e,onDone:t}){return a`<${dn} path=${zt(e,"replay")} button="Try now" done=${()=>($e("It tries at once.","ok"),t())}>
    <p>What waits is tried at once. A webhook that was paused or disabled goes on.</p>
  <//>`}function gg({webhook:e,onDone:t}){let[n,o]=h("");return a`<${dn} path=${zt(e,"replay")} body=${{since:Number(n)}} button="Deliver again" done=${()=>($e("They are delivered again.","ok"),t())}>
    <p>What fits this webhook is delivered again, with the same ids: a receiver that keeps them handles nothing twice.</p>
    <label class="field"><span>From this entry on</span>
      <input type="number" min="1" required value=${n} onInput=${s=>o(s.target.value)} /></label>
  <//>`}function bg({webhook:e,onDone:t}){let{data:n,problem:o}=P({kinds:["webhook_"],by:[Z(),e.name]},s=>T(zt(e,"dead"),{limit:100},{signal:s}));return a`<${N} problem=${o} />
    ${n?a`<ul class="dead-deliveries">${n.deliveries.map(s=>a`<li key=${s.seq}>
          <p>Entry ${s.seq}${s.execution_id&&a` of <a href=${x(`/x/${s.execution_id}`)}><code>${s.execution_id}</code></a>`}, after ${s.attempts} attempts, <${I} at=${s.at} /></p>
          <p class="soft"><${m} text=${s.error} /></p></li>`)}</ul>`:!o&&a`<${H} />`}
    ${n?.next_cursor&&a`<p class="soft">The first 100 of ${e.dead}.</p>`}
    <${dn} path=${zt(e,"replay")} body=${{dead:!0}} button="Deliver them again" done=${()=>($e("They are delivered again.","ok"),t())} />`}function yg({webhook:e,onDone:t}){let[n,o]=h(null);return n?a`<${Yr} made=${n} onDone=${t} />`:a`<${dn} path=${zt(e,"rotation")} button="Make a new secret" done=${o}>
    <p>For a day each message has both signatures, so that the receiver can change over.</p>
  <//>`}function xg({webhook:e,onDone:t}){return a`<${dn} path=${zt(e,"removal")} button="Remove it" kind="danger" done=${()=>($e("It is removed.","ok"),t())}>
    <p>Its address is told nothing more. Its secret, what waits and what was given up are forgotten. To set it up again, add it anew.</p>
  <//>`}var ts,zt,Qr=E(()=>{G();v();ee();U();z();Xr();ts={test:{label:"Test",title:"Test",suits:e=>e.state!=="disabled",form:mg},retry:{label:"Try now",title:"Try at once:",suits:e=>e.state!=="active"||!!e.waiting,form:hg},dead:{label:"Given up",title:"Given up:",suits:e=>!!e.dead,form:bg},replay:{label:"Replay",title:"Replay",suits:()=>!0,form:gg},rotate:{label:"New secret",title:"New secret for",suits:()=>!0,form:yg},remove:{label:"Remove",title:"Remove",suits:()=>!0,form:xg}};zt=(e,t)=>`/v1/webhooks/${encodeURIComponent(e.name)}/${t}`});function zd({webhooks:e,onChoose:t}){return a`<ul class="webhooks" aria-label="Webhooks">
    ${e.map(n=>a`<li key=${n.name}>
      <div>
        <p><strong><${m} text=${n.name} /></strong> <${K} state=${n.state} /> · <code><${m} text=${n.host} /></code></p>
        <p class="soft">Hears of <${_g} webhook=${n} />.</p>
        <p class="soft"><${wg} webhook=${n} /></p>
        ${n.last_error&&a`<p class="webhook-error">Last error: <${m} text=${n.last_error} />${n.last_error_at&&a`, <${I} at=${n.last_error_at} />`}</p>`}
      </div>
      <div class="webhook-actions">
        ${Object.entries(ts).map(([o,{label:s,suits:r}])=>r(n)&&a`<${w} onClick=${()=>t(o,n)} aria-label=${`${s} ${n.name}`}>${s}<//>`)}
      </div>
    </li>`)}
  </ul>`}function _g({webhook:e}){let{kinds:t=[],execution_id:n,task_id:o,tool:s,actor:r}=e,i=[e.needs_person&&"what a person has to act on",t.length>0&&a`entries of ${t.length>1?"the kinds":"the kind"} <code>${t.join(", ")}</code>`,n&&a`execution <a href=${x(`/x/${n}`)}><code>${n}</code></a>`,o&&a`task <${m} text=${o} />`,s&&a`calls of <code><${m} text=${s} /></code>`,r&&a`what <${m} text=${r} /> recorded`].filter(Boolean);return i.length?a`${i.map((l,c)=>a`${c>0&&" and "}${l}`)}`:a`every entry`}function wg({webhook:e}){let{delivered:t=0,behind:n=0,waiting:o=0,dead:s=0}=e,r=[`${t} delivered`,n>0&&`${n} ${n===1?"entry":"entries"} behind`,o>0&&`${o} waiting`,s>0&&`${s} given up`,!e.delivering&&"no process delivers now"].filter(Boolean);return a`${r.join(", ")}${e.last_success&&a`, the last one <${I} at=${e.last_success} />`}${e.next_attempt&&a`, next attempt at <${I} at=${e.next_attempt} form="absolute" />`}`}var Fd=E(()=>{v();U();z();Qr()});var Hd={};Ce(Hd,{Page:()=>kg});function kg(){let{data:e,problem:t,reload:n}=P({kinds:["webhook_"],by:[Z()]},c=>T("/v1/webhooks",{limit:100},{signal:c})),o=t?.status===403,[s,r]=h(null);_(()=>{if(o)return;let c=setInterval(n,vg);return()=>clearInterval(c)},[o]);let i=()=>(r(null),n()),l=(c,d)=>r({action:c,webhook:d});return a`<div class="page">
    <div class="page-head"><h1>Webhooks</h1>
      <p class="soft">Addresses that are told of new entries. <code>tallystick serve</code> or <code>tallystick notify</code> delivers.</p></div>
    ${o?a`<${D}><p>Webhooks are shown to admins only.</p><${Je} scope="admin" onDone=${n} /><//>`:a`<${N} problem=${t} retry=${n} />`}
    ${e&&a`<p><${w} kind="primary" onClick=${()=>r({action:"add"})}>Add a webhook<//></p>`}
    ${e?e.webhooks.length?a`<${D} flush><${zd} webhooks=${e.webhooks} onChoose=${l} /><//>`:a`<${D}><${F} icon="check" title="No webhooks.">Add one: its address hears of each new entry, or of those that you choose.<//><//>`:!t&&a`<${H} />`}
    ${s&&a`<${Sg} ...${s} onClose=${i} />`}
  </div>`}function Sg({action:e,webhook:t,onClose:n}){let o=Oe(),s=ts[e],r=t?`${s.title} ${t.name}`:"Add a webhook",i=s?.form||Bd;return a`<${Ze} title=${r} onClose=${n}>
    ${o.scopes.includes("admin")?a`<${i} webhook=${t} onDone=${n} />`:a`<${Je} scope="admin" />`}
  <//>`}var vg,Ud=E(()=>{G();sn();v();ee();U();ze();z();Xr();Qr();Fd();vg=5e3});function Tg(e){let[t,...n]=e.split(":"),o=n.join(":");return{scope:t,...t==="task"&&{task_id:o},...t==="execution"&&{execution_id:o}}}function Wd({name:e,scopeText:t,onClose:n}){let{data:o,problem:s,reload:r}=P({by:[e,t],kinds:["context_recorded","body_erased"]},i=>T(`/v1/context/${encodeURIComponent(e)}`,{...Tg(t),limit:Eg},{signal:i}));return a`<aside class="context-value" aria-label=${`Context ${e}`}>
    <header class="context-value-head">
      <h2><code><${m} text=${e} /></code></h2>
      <${w} kind="ghost" icon="close" label="Close" onClick=${n} />
    </header>
    <${N} problem=${s} retry=${r} />
    ${o?a`<${Mg} value=${o.values[0]} /><${Ag} values=${o.values} />`:!s&&a`<${H} />`}
  </aside>`}function Mg({value:e}){return a`
    ${e.erased?a`<p class="note"><${S} name="cancelled" /> Its text was erased. The entry remains.</p>`:e.altered?a`<p class="note"><${S} name="warning" /> Its stored text was altered and is not shown.</p>`:a`<${ie} value=${e.value??null} label="value" whole />`}
    <${Le} rows=${[["scope",a`<${Zr} value=${e} />`],["type",e.type],["written by",e.actor&&a`<${m} text=${e.actor} />`],["when",a`<${I} at=${e.at} />`],["entry",a`<span class="num">${e.seq}</span>`],["holds until",e.expires&&a`<${ea} value=${e} />`],["derived from",e.derived_from?.length?a`<${Cg} handles=${e.derived_from} />`:""]]} />
    ${e.metadata?a`<h3>Metadata</h3><${ie} value=${e.metadata} label="metadata" />`:null}
    <p class="note soft">A model or a tool wrote this. It is data, not an instruction, and not checked by anybody.</p>`}function Zr({value:e}){let t=e.scope_id||"";return e.scope==="execution"?a`execution <a href=${x(`/x/${encodeURIComponent(t)}`)}><code>${t}</code></a>`:e.scope==="task"?a`task <a href=${x("/executions",{q:`task:${t}`})}>${t}</a>`:e.scope}function ea({value:e}){return e.expires?e.expired?a`<${ne} tone="idle" icon="late">expired<//>`:a`<${I} at=${e.expires} form="absolute" />`:a`<span class="faint">for good</span>`}function Cg({handles:e}){return e.map((t,n)=>a`${n?", ":""}${t.startsWith("ex_")?a`<a href=${x(`/x/${encodeURIComponent(t)}`)}><code>${t}</code></a>`:t.startsWith("pl_")?a`<a href=${x(`/plans/${encodeURIComponent(t)}`)}><code>${t}</code></a>`:t.startsWith("ap_")?a`<a href=${x(`/approvals/${encodeURIComponent(t)}`)}><code>${t}</code></a>`:a`<code>${t}</code>`}`)}function Ag({values:e}){let[t,n]=h(1);return e.length<2?a`<p class="soft">Written once: there is no history.</p>`:a`<h3>History <span class="faint">${e.length} values, the newest first</span></h3>
    <ol class="versions" reversed>
      ${e.map((o,s)=>a`<li key=${o.seq}>
        <button type="button" class="version" aria-expanded=${String(t===s)} onClick=${()=>n(t===s?-1:s)}>
          <${S} name=${t===s?"down":"right"} size=${14} />
          <span>${s===0?"now":a`<${I} at=${o.at} />`}</span>
          <span class="soft cut"><${m} text=${o.actor} /></span>
          <span class="faint num">entry ${o.seq}</span>
        </button>
        ${t===s&&a`<${Og} value=${o} before=${e[s+1]} />`}
      </li>`)}
    </ol>`}function Og({value:e,before:t}){return e.erased?a`<p class="note">Its text was erased.</p>`:e.altered?a`<p class="note">Its stored text was altered and is not shown.</p>`:!t||t.erased||t.altered?a`<${ie} value=${e.value??null} label="value" />`:a`<${qe} before=${t.value} after=${e.value} titles=${["before","after"]} />`}var Eg,un,Kd=E(()=>{G();v();se();ee();U();z();Eg=100,un=e=>e.scope_id?`${e.scope}:${e.scope_id}`:e.scope});var Vd={};Ce(Vd,{Page:()=>Lg});function Lg({query:e}){let[t,n,o,s]=["text","scope","type","expired"].map(b=>e.get(b)||""),[r,i]=[e.get("key")||"",e.get("at")||"project"],[l,c]=h(1),d=P({by:[t,n,o,s,l],kinds:["context_recorded","body_erased"]},b=>Rg({text:t,scope:n,type:o,include_expired:!!s},l,b)),u=d.data?.values??[],p=u.findIndex(b=>b.key===r&&un(b)===i),$=b=>b&&Q({key:b.key,at:un(b)},{replace:!!r}),f=()=>Q({key:"",at:""});fe("Context",{j:{label:"next key",run:()=>$(u[Math.min(p+1,u.length-1)])},k:{label:"previous key",run:()=>$(u[Math.max(p-1,0)])},Escape:!!r&&{label:"close it",run:f}});let g=!!(t||n||o||s);return a`<div class=${`page context ${r?"has-detail":""}`}>
    <div class="page-head"><h1>Context</h1><p class="soft">Values that agents keep across sessions. The newest value of a key counts; the history stays.</p></div>
    <div class="filters">
      <${Ke} label="Search keys and values" placeholder="Search keys and values" value=${t} onChange=${b=>Q({text:b},{replace:!0})} />
      <${ae} label="Scope" value=${n} choices=${Ng} onChange=${b=>Q({scope:b})} />
      ${o&&a`<${w} icon="close" onClick=${()=>Q({type:""})}>type ${o}<//>`}
      <label class="check"><input type="checkbox" checked=${!!s} onChange=${b=>Q({expired:b.target.checked?"1":""})} /> show expired</label>
    </div>
    <${N} problem=${d.problem} retry=${d.reload} />
    <div class="beside">
      ${d.data?u.length?a`<${D} flush><${Dg} values=${u} chosen=${p} onOpen=${$} />
              ${d.data.more&&a`<div class="more-row"><${w} onClick=${()=>c(l+1)}>Show more<//></div>`}<//>`:a`<${D}><${jg} filtered=${g} /><//>`:!d.problem&&a`<${H} />`}
      ${r&&a`<${Wd} key=${r+i} name=${r} scopeText=${i} onClose=${f} />`}
    </div>
  </div>`}async function Rg(e,t,n){let o=[],s="";for(let r=0;r<t;r+=1){let i=await T("/v1/context",{...e,limit:Ig,cursor:s},{signal:n});if(o.push(...i.values),s=i.next_cursor||"",!s)break}return{values:o,more:!!s}}function Dg({values:e,chosen:t,onOpen:n}){let o=s=>x(location.pathname+location.search,{key:s.key,at:un(s)});return a`<${Ot} label="Context" rows=${e} id=${s=>`${un(s)} ${s.key}`}
    selected=${e[t]?`${un(e[t])} ${e[t].key}`:""} onSelect=${n}
    columns=${[{title:"key",class:"col-key",cell:s=>a`<a href=${o(s)}><code><${m} text=${s.key} /></code></a>`},{title:"value",class:"col-value",cell:s=>a`<span class="preview"><${m} text=${Pg(s)} /></span>`},{title:"type",class:"col-type",cell:s=>s.type?a`<a class="chip" href=${x("/context",{type:s.type})}>${s.type}</a>`:a`<span class="faint">–</span>`},{title:"scope",class:"col-wide",cell:s=>a`<${Zr} value=${s} />`},{title:"by",class:"col-wide",cell:s=>s.actor},{title:"written",cell:s=>a`<span class="soft"><${I} at=${s.at} /></span>`},{title:"until",class:"col-wide",cell:s=>a`<span class="soft"><${ea} value=${s} /></span>`},{title:"values",class:"right col-wide",cell:s=>(s.versions??1)>1?a`<${ne} title="number of values over time">${s.versions}<//>`:a`<span class="faint">1</span>`}]} />`}function Pg(e){if(e.erased||e.altered)return e.erased?"erased":"altered";let t=typeof e.value=="string"?e.value:re(e.value??null);return t.length>160?`${t.slice(0,160)}…`:t}function jg({filtered:e}){return e?a`<${F} icon="search" title="No matches."><p><a href=${x("/context")}>Show everything</a></p><//>`:a`<${F} icon="context" title="No context values yet.">
    <p>An agent stores a value for the next session with <code>record_context</code>, a person
    with <code>tallystick record context KEY --value TEXT</code>.</p><//>`}var Ig,Ng,Gd=E(()=>{G();Kd();v();Re();Ae();ee();U();z();Ig=100,Ng=[["","all"],["project","project"],["task","task"],["execution","execution"]]});var Jd={};Ce(Jd,{Page:()=>Bg});function Bg({query:e}){let[t,n,o]=["text","status","task_id"].map($=>e.get($)||""),[s,r]=h(ta),[i,l]=h(-1),{data:c,problem:d,reload:u}=P({by:[t,n,o,s],kinds:["plan_"]},$=>zg({text:t,status:n,task_id:o},s,$)),p=c?.plans??[];return fe("Plans",{j:{label:"next plan",run:()=>l(Math.min(i+1,p.length-1))},k:{label:"previous plan",run:()=>l(Math.max(i-1,0))},Enter:p[i]&&{label:"open it",run:()=>ce(x(`/plans/${p[i].id}`))}}),a`<div class="page">
    <div class="page-head"><h1>Plans</h1><p class="soft">Planned steps, and whether and how each can be undone.</p></div>
    <div class="filters">
      <${Ke} label="Search plans" placeholder="Search titles, goals and steps" value=${t} onChange=${$=>Q({text:$},{replace:!0})} />
      <${ae} label="Status" value=${n} choices=${qg} onChange=${$=>Q({status:$})} />
      ${o&&a`<${w} icon="close" onClick=${()=>Q({task_id:""})}>task ${o}<//>`}
    </div>
    <${N} problem=${d} retry=${u} />
    ${c?p.length?a`<${D} flush><${Fg} plans=${p} chosen=${p[i]?.id??""} />
            ${c.more&&a`<div class="more-row"><${w} onClick=${()=>r(s+ta)}>Show more<//></div>`}<//>`:a`<${D}><${Hg} filtered=${!!(t||n||o)} /><//>`:!d&&a`<${H} />`}
  </div>`}async function zg(e,t,n){let o=[],s="";do{let r=await T("/v1/plans",{...e,limit:ta,cursor:s},{signal:n});o.push(...r.plans),s=r.next_cursor||""}while(s&&o.length<t);return{plans:o,more:!!s}}function Fg({plans:e,chosen:t}){return a`<${Ot} label="Plans" rows=${e} id=${n=>n.id} selected=${t}
    onSelect=${n=>ce(x(`/plans/${n.id}`))}
    columns=${[{title:"status",cell:n=>a`<${K} state=${n.status} quiet />`},{title:"plan",class:"col-title",cell:n=>a`<a href=${x(`/plans/${n.id}`)}><strong><${m} text=${n.erased?"erased":n.altered?"altered":n.title||n.id} /></strong></a>
          <span class="plan-goal soft"><${m} text=${n.goal} /></span>`},{title:"steps",class:"right num",cell:n=>n.step_count??0},{title:"revision",class:"right num col-wide",cell:n=>n.revision},{title:"task",class:"col-wide",cell:n=>n.task_id||a`<span class="faint">–</span>`},{title:"type",class:"col-wide",cell:n=>n.type||a`<span class="faint">–</span>`},{title:"by",class:"col-wide",cell:n=>n.actor},{title:"revised",cell:n=>a`<span class="soft"><${I} at=${n.at} /></span>`}]} />`}function Hg({filtered:e}){return e?a`<${F} icon="search" title="No matching plans."><p><a href=${x("/plans")}>Show all plans</a></p><//>`:a`<${F} icon="plans" title="No plan yet.">
    <p>An agent records one with <code>record_plan</code> before it acts. Each step says whether and how it can be undone.</p><//>`}var ta,qg,Yd=E(()=>{G();v();Ae();ee();U();z();ta=100,qg=[["","all"],["active","active"],["archived","archived"],["cancelled","cancelled"]]});function Xd({id:e,revisions:t,shown:n,from:o,counts:s}){return a`<ol class="revisions" reversed aria-label="Revisions, the newest first">
    ${t.map(r=>{let i=r.revision,l=s.get(i)??0;return a`<li key=${i} class=${i===n?"is-chosen":null}>
        <a class="revision" href=${x(`/plans/${e}`,{revision:i})} aria-current=${i===n&&!o?"true":null}>
          <strong>Revision ${i}</strong>
          <span class="soft"><${I} at=${r.at} /></span>
        </a>
        <p class="soft revision-why">${r.erased?"Its text was erased.":r.altered?"Its stored text was altered and is not shown.":r.reason||(i===1?"First version.":"")}</p>
        <p class="revision-end">
          ${l?a`<span class="soft">${l} ${l===1?"execution":"executions"}</span>`:a`<span class="faint">not carried out</span>`}
          ${i>1&&a`<a href=${x(`/plans/${e}`,{from:i-1,to:i})} aria-current=${o===i-1&&n===i?"true":null}>
            what changed<span class="visually-hidden"> in revision ${i}</span></a>`}
        </p>
      </li>`})}
  </ol>`}function Qd({before:e,after:t}){let n=Xc(e.steps??[],t.steps??[]),o=Qc(e,t),s=n.filter(r=>r.change!=="same").length;return a`<div class="revision-diff">
    <p class="note">
      <strong>Revision ${e.revision} to ${t.revision}.</strong>
      ${t.reason&&a` <${m} text=${t.reason} />`}
      <span class="soft"> ${s} of ${n.length} steps differ${o.length?`, and ${o.map(r=>r.name).join(", ")}`:""}.</span>
    </p>
    ${o.length?a`<${qe} before=${Object.fromEntries(o.map(r=>[r.name,r.before]))}
      after=${Object.fromEntries(o.map(r=>[r.name,r.after]))} titles=${[`revision ${e.revision}`,`revision ${t.revision}`]} />`:null}
    <h2 class="visually-hidden">Steps</h2>
    <ol class="steps">
      ${n.map(r=>a`<li key=${r.id} class=${`step-${r.change}`}>
        <div class="step-body"><${Wg} row=${r} titles=${[`revision ${e.revision}`,`revision ${t.revision}`]} /></div>
      </li>`)}
    </ol>
  </div>`}function Wg({row:e,titles:t}){let[n,o,s]=Ug[e.change],r=e.after??e.before,i=a`<${ne} tone=${n} icon=${o}>${s}<//>`;return e.change==="added"?a`<p class="step-mark">${i}</p><${Br} step=${r} />`:a`<div class="step-head">
      <h3><${m} text=${r?.title||e.id} /></h3><code class="soft"><${m} text=${e.id} /></code><span class="step-end">${i}</span>
    </div>
    ${e.change==="changed"&&a`<${qe} before=${e.before} after=${e.after} titles=${t} />`}
    ${e.change==="removed"&&a`<p class="soft"><${S} name="cancelled" size=${14} /> Executions that began it keep it, with its undo.</p>`}`}var Ug,Zd=E(()=>{v();se();U();z();Xo();Yo();Ug={added:["ok","unplanned","added"],removed:["failed","cancelled","removed"],changed:["doubt","edit","changed"],moved:["running","down","moved"],same:["idle","check","unchanged"]}});var eu={};Ce(eu,{Page:()=>Kg});function Kg({id:e,query:t}){let n=P({by:[e],kinds:["plan_","body_erased"]},s=>T(`/v1/plans/${encodeURIComponent(e)}`,{},{signal:s})),o=P({by:[e],kinds:["execution_","decision_recorded","action_ended"]},s=>T("/v1/executions",{plan_id:e,limit:na},{signal:s}));return n.data?a`<${Vg} id=${e} query=${t} status=${n.data.status} revisions=${n.data.revisions} executions=${o.data?.executions??[]} />`:a`<div class="page"><h1>Plan</h1><${N} problem=${n.problem} retry=${n.reload} />${!n.problem&&a`<${H} />`}</div>`}function Vg({id:e,query:t,status:n,revisions:o,executions:s}){let r=o[0],i=Number(t.get("to")||t.get("revision"))||r.revision,l=o.find(p=>p.revision===i)??r,c=o.find(p=>p.revision===Number(t.get("from"))),d=new Map;for(let p of s)d.set(p.revision,(d.get(p.revision)??0)+1);let u=p=>{let $=o.find(f=>f.revision===l.revision+p);$&&Q({revision:c?"":$.revision,to:c?$.revision:"",from:c&&$.revision-1||""},{replace:!0})};return fe("Plan",{"[":{label:"previous revision",run:()=>u(-1)},"]":{label:"next revision",run:()=>u(1)},d:l.revision>1&&{label:"show changes or steps",run:()=>Q(c?{from:"",to:"",revision:l.revision}:{from:l.revision-1,to:l.revision,revision:""})}}),a`<div class="page plan">
    <header class="plan-head">
      <p><a class="back" href=${x("/plans")}>Plans</a></p>
      <div class="page-head">
        <h1><${m} text=${l.erased?"Erased plan":l.altered?"Altered plan":l.title||e} /></h1>
        <${K} state=${n} />
        <div class="page-head-end"><${Ue} id=${e} /></div>
      </div>
      ${l.goal&&a`<p class="plan-goal"><${m} text=${l.goal} /></p>`}
      <p class="soft plan-about">
        ${[r.task_id&&a`task <a href=${x("/executions",{q:`task:${r.task_id}`})}>${r.task_id}</a>`,r.type,`by ${r.actor}`].filter(Boolean).map((p,$)=>a`${$?" · ":""}${p}`)}
      </p>
      ${n!=="active"&&r.retired_reason&&a`<p class="note">Retired: ${r.retired_reason}</p>`}
    </header>
    <div class="plan-body">
      <section class="plan-main" aria-label=${c?"What changed":`Revision ${l.revision}`}>
        ${c?a`<${Qd} before=${c} after=${l} />`:a`<${Gg} revision=${l} step=${t.get("step")||""} />`}
        <${D} flush title=${`Executions${s.length===na?`, the newest ${na}`:""}`}>
          ${s.length?a`<${Jg} runs=${s} />`:a`<${F} icon="executions" title="No executions yet." />`}
        <//>
      </section>
      <aside class="plan-side" aria-label="Revisions">
        <${D} title="Revisions"><${Xd} id=${e} revisions=${o} shown=${l.revision} from=${c?.revision??0} counts=${d} /><//>
      </aside>
    </div>
  </div>`}function Gg({revision:e,step:t}){let n=e.steps??[],o=n.filter(i=>i.estimate!==void 0&&i.estimate!==null),s=o.reduce((i,l)=>i+Number(l.estimate),0),r=a`Steps of revision ${e.revision}
    <span class="soft panel-note">${o.length?`estimated ${ue(s*1e3)}${o.length<n.length?` for ${o.length} of ${n.length}`:""}`:""}</span>`;return a`
    ${e.warnings?.length?a`<ul class="warnings" aria-label="Warnings">${e.warnings.map(i=>a`<li><${S} name="warning" /> <${m} text=${i} /></li>`)}</ul>`:null}
    ${e.reasoning&&a`<details class="reasoning"><summary>Reasoning</summary><p><${De} text=${e.reasoning} /></p></details>`}
    <${D} flush title=${r}><${Zc} steps=${n} chosen=${t} /><//>`}function Jg({runs:e}){return a`<${Ot} label="Executions of this plan" rows=${e} id=${t=>t.id}
    columns=${[{title:"status",cell:t=>a`<${K} state=${t.status} quiet />`},{title:"execution",cell:t=>a`<a href=${x(`/x/${t.id}`)}><code>${t.id}</code></a>`},{title:"revision",class:"right num",cell:t=>t.revision},{title:"plan",class:"col-wide",cell:t=>a`<${It} row=${t} />`},{title:"by",class:"col-wide",cell:t=>t.client||t.actor},{title:"started",cell:t=>a`<span class="soft"><${I} at=${t.started} /></span>`},{title:"took",class:"right col-wide",cell:t=>a`<${$t} from=${t.started} to=${t.ended} />`}]} />`}var na,tu=E(()=>{G();v();se();Ae();ee();Zd();Xo();U();z();je();na=100});function nu({a:e,b:t,arguments:n=[],results:o=[]}){if(!e||!t)return[e?"only in A":"only in B"];if([e.state,t.state].includes("planned"))return e.state===t.state?[]:["state"];let s=[];e.state!==t.state&&s.push("state"),(e.attempts??0)!==(t.attempts??0)&&s.push("attempts"),n.length&&s.push("arguments"),o.length&&s.push("result");let[r,i]=[e.seconds??0,t.seconds??0].sort((l,c)=>l-c);return i>1&&i>r*Yg&&s.push("duration"),s}function ou(e){return e.map(({path:t,a:n,b:o,only:s})=>({path:t.replace(/^\$\.?/,"")||"value",kind:{a:"removed",b:"added","":"changed"}[s??""],before:n,after:o}))}function oa(e){let t=e.ended?(Date.parse(e.ended)-Date.parse(e.started))/1e3:null,n=o=>Object.values(o??{}).reduce((s,r)=>s+r,0);return{status:e.status,revision:e.revision??0,by:e.actor||e.client||"",started:e.started,took:t,steps:rt(e),actions:n(e.actions)+n(e.undos),failed:e.actions?.failed??0,in_doubt:e.in_doubt??0,undone:e.undos?.ok??0,owed:e.owed??0,unplanned:e.unplanned??0}}var Yg,su=E(()=>{ir();Yg=1.5});var lu={};Ce(lu,{Page:()=>Zg});function Zg({query:e}){let[t,n]=[e.get("a")||"",e.get("b")||""],o=e.get("show")==="all",s=P({kinds:["execution_"]},c=>T("/v1/executions",{limit:Xg},{signal:c})),r=!!(t&&n),i=P({by:[t,n],kinds:["execution_","action_"]},c=>r?T("/v1/comparison",{a:t,b:n},{signal:c}):Promise.resolve(null)),l=s.data?.executions??[];return a`<div class="page compare">
    <div class="page-head"><h1>Compare two executions</h1></div>
    <div class="compare-pick">
      <${ru} side="A" value=${t} known=${l} onPick=${c=>Q({a:c})} />
      <${w} icon="compare" label="Swap A and B" onClick=${()=>Q({a:n,b:t})} />
      <${ru} side="B" value=${n} known=${l} onPick=${c=>Q({b:c})} />
    </div>
    <${N} problem=${i.problem} retry=${i.reload} />
    ${r?i.data?a`<${sb} comparison=${i.data} all=${o} />
            <${nb} comparison=${i.data} all=${o} />`:!i.problem&&a`<${H} />`:a`<${D}><${F} icon="compare" title="Choose two executions."><p>For example two executions of one plan: one that succeeded and one that failed.</p><//>
          <${eb} chosen=${t||n} side=${t?"b":"a"} known=${l} /><//>`}
  </div>`}function ru({side:e,value:t,known:n,onPick:o}){let s=`recent-${e}`;return a`<label class="field compare-field"><span>${e}</span>
    <input type="text" list=${s} value=${t} placeholder="ex_…" spellcheck="false" autocomplete="off" onChange=${r=>o(r.target.value.trim())} />
    <datalist id=${s}>${n.map(r=>a`<option key=${r.id} value=${r.id}>${r.title} (${r.status})</option>`)}</datalist>
  </label>`}function eb({chosen:e,side:t,known:n}){let o=n.find(r=>r.id===e)?.plan_id,s=n.filter(r=>r.id!==e&&o&&r.plan_id===o).slice(0,Qg);return s.length?a`<div class="compare-suggested"><h2>Of the same plan</h2>
    <ul>${s.map(r=>a`<li key=${r.id}><${K} state=${r.status} quiet /> <a href=${x("/compare",t==="b"?{a:e,b:r.id}:{a:r.id,b:e})}><${m} text=${r.title||r.id} /></a> <code class="soft">${r.id}</code> <span class="soft"><${I} at=${r.started} /></span></li>`)}</ul>
  </div>`:null}function nb({comparison:{a:e,b:t},all:n}){let[o,s]=[oa(e),oa(t)],r=l=>o[l]!==s[l]&&l!=="started",i=tb.filter(([l])=>n||r(l)||l==="status");return a`<${D} flush>
    <table class="table compare-table">
      <thead><tr><th scope="col"><span class="visually-hidden">what</span></th>
        ${[e,t].map((l,c)=>a`<th scope="col"><span class="side">${"AB"[c]}</span> <a href=${x(`/x/${l.id}`)}><${m} text=${l.title||l.id} /></a> <code>${l.id}</code></th>`)}</tr></thead>
      <tbody>${i.map(([l,c])=>a`<tr key=${l} class=${r(l)?"differs":null}>
        <th scope="row">${c}</th>${[o,s].map(d=>a`<td>${ob(l,d[l])}</td>`)}</tr>`)}</tbody>
    </table>
  <//>`}function ob(e,t){return e==="status"?a`<${K} state=${t} />`:e==="started"?a`<${I} at=${t} />`:e==="took"?t===null?a`<span class="faint">not ended</span>`:ue(t*1e3):a`<span class="num">${t}</span>`}function sb({comparison:e,all:t}){let n=e.rows.map(i=>({row:i,differs:nu(i)})),o=n.filter(i=>i.differs.length),s=n.length-o.length,r=a`<label class="check"><input type="checkbox" checked=${t} onChange=${()=>Q({show:t?"":"all"},{replace:!0})} /> show what is the same</label>`;return a`<${D} flush title=${`${o.length} of ${n.length} steps and calls differ`} actions=${r}>
    <p class="compare-legend soft"><span><span class="side">A</span> <a href=${x(`/x/${e.a.id}`)}><${m} text=${e.a.title||e.a.id} /></a></span>
      <span><span class="side">B</span> <a href=${x(`/x/${e.b.id}`)}><${m} text=${e.b.title||e.b.id} /></a></span></p>
    ${!o.length&&a`<${F} icon="check" title="No step or call differs." />`}
    <ul class="compare-rows">${(t?n:o).map(({row:i,differs:l})=>a`<${rb} key=${`${i.kind} ${i.name}`} row=${i} differs=${l} />`)}</ul>
    ${!t&&s>0&&a`<p class="compare-note"><${w} kind="ghost" icon="down" onClick=${()=>Q({show:"all"},{replace:!0})}>${`${s} ${s===1?"is":"are"} the same`}<//></p>`}
    ${!!e.left_out&&a`<p class="soft compare-note">${e.left_out} more are not shown; those that ended otherwise come first.</p>`}
    ${e.whole===!1&&a`<p class="soft compare-note">Only the first actions of a long execution are compared.</p>`}
  <//>`}function rb({row:e,differs:t}){let[n,o]=h(!!e.arguments?.length),r=[["arguments",e.arguments??[]],["result",e.results??[]]].filter(([,i])=>i.length);return a`<li class=${t.length?"differs":null}>
    <div class="compare-step">
      <div class="compare-name"><strong><${m} text=${e.summary||e.name} /></strong> <code class="soft"><${m} text=${e.name} /></code>
        ${au[e.kind]&&a` <${ne} icon=${e.kind==="undo"?"unwinding":"unplanned"}>${au[e.kind]}<//>`}</div>
      <${iu} letter="A" side=${e.a} /><${iu} letter="B" side=${e.b} />
      <div class="compare-differs">${t.length?a`<${S} name="compare" size=${14} /> ${t.join(", ")}`:a`<span class="faint">same</span>`}
        ${r.length?a`<${w} kind="ghost" icon=${n?"down":"right"} aria-expanded=${String(n)} onClick=${()=>o(!n)}>${n?"hide":"show"}<//>`:null}</div>
    </div>
    ${n&&r.map(([i,l])=>a`<h3>${i}</h3>
      <div class="diff"><${Eo} rows=${ou(l)} titles=${["A","B"]} words=${{removed:"only in A",added:"only in B"}} /></div>`)}
    ${n&&e.cut&&a`<p class="soft">More differences are not shown.</p>`}
  </li>`}function iu({letter:e,side:t}){return t?a`<div class="compare-side"><span class="side">${e}</span> <${K} state=${t.state||"planned"} quiet />
    ${(t.attempts??0)>1&&a`<span class="soft">${t.attempts} attempts</span>`}
    ${t.seconds!==void 0&&t.seconds!==null&&a`<span class="num soft">${ue(t.seconds*1e3)}</span>`}</div>`:a`<div class="compare-side"><span class="side">${e}</span> <span class="faint">missing</span></div>`}var Xg,Qg,tb,au,cu=E(()=>{G();su();v();se();ee();U();z();Xg=50,Qg=8;tb=[["status","status"],["by","by"],["revision","plan revision"],["started","started"],["took","took"],["steps","steps"],["actions","actions"],["failed","failed"],["in_doubt","in doubt"],["unplanned","unplanned"],["undone","undone"],["owed","owed"]];au={call:"unplanned call",undo:"undo",step:""}});function pn(e,t){return[e,...t].map(n=>n.map(ib).join(",")).join(`\r
`)+`\r
`}function ib(e){if(e==null)return"";if(typeof e=="number")return Number.isFinite(e)?String(e):"";if(e instanceof Ee)return e.source;let t=typeof e=="string"?e:re(e),n=ab.test(t)?`'${t}`:t;return/[",\r\n]/.test(n)?`"${n.replaceAll('"','""')}"`:n}var ab,sa=E(()=>{dt();Re();ab=/^[\s'"]*[=+\-@\t\r|%＝＋－＠]/});function du(e,t={count:0}){let n=e.map(d=>d.date),o=d=>e.map(u=>u[d]===null?null:Number(u[d]??0)),s=d=>e.map(u=>(u[d]??null)===null?null:Number(u[d])),r=(d,u)=>e.map(p=>u(p)?Number(p[d]??0)/u(p):null),i=d=>o(d).reduce((u,p)=>u+(p??0),0),l=d=>Number(d.completed??0)+Number(d.failed??0)+Number(d.cancelled??0),c=e.reduce((d,u)=>d+l(u),0);return[{id:"executions",title:$n(n[0])?"Executions per hour":"Executions per day",about:"by when they started, and by how they ended or were interrupted",unit:"count",days:n,stacked:!0,headline:`${i("started")} started`,series:[{name:"completed",values:o("completed"),tone:"ok",form:"bars"},{name:"failed",values:o("failed"),tone:"failed",form:"bars",pattern:"hatch"},{name:"cancelled",values:o("cancelled"),tone:"idle",form:"bars",pattern:"dots"},{name:"closed",values:o("closed"),tone:"plain",form:"bars",pattern:"columns"},{name:"interrupted",values:o("interrupted"),tone:"doubt",form:"bars",pattern:"grid"},{name:"open",values:e.map(d=>Math.max(0,Number(d.started??0)-l(d)-Number(d.closed??0)-Number(d.interrupted??0))),tone:"running",form:"bars",pattern:"stripes"}]},{id:"success",title:"Success",about:"completed executions, as a share of those that ended with a verdict",unit:"share",days:n,headline:c?ss(i("completed")/c):"–",series:[{name:"success",values:r("completed",l),tone:"ok",form:"line"}]},{id:"duration",title:"Duration",about:`from start to end, of ${t.count} that ended: half took less than p50, 95 of 100 less than p95`,unit:"seconds",days:n,headline:t.count?`p50 ${Ft(t.p50,"seconds")}, p95 ${Ft(t.p95,"seconds")}`:"–",series:[{name:"p50",values:s("p50"),tone:"running",form:"line"},{name:"p95",values:s("p95"),tone:"undo",form:"line",pattern:"dash"}]},{id:"estimate",title:"Estimate against actual",about:"summed over steps that had an estimate and succeeded",unit:"seconds",days:n,headline:i("estimated")?`${(i("actual")/i("estimated")).toFixed(1)} × the estimate`:"–",series:[{name:"estimated",values:s("estimated"),tone:"idle",form:"line",pattern:"dash"},{name:"actual",values:s("actual"),tone:"accent",form:"line"}]},{id:"retries",title:"Retries and unwinding",about:"repeated steps, and executions with undone actions",unit:"count",days:n,headline:`${os(i("retries"),"retry","retries")}, ${i("unwound")} unwound`,series:[{name:"retries",values:o("retries"),tone:"doubt",form:"line"},{name:"unwound",values:o("unwound"),tone:"undo",form:"line",pattern:"dash"}]},{id:"waiting",title:"Waiting for people",about:`from each question to its answer, summed; ${os(i("asked"),"question")}`,unit:"seconds",days:n,headline:i("waited")?Xn(i("waited")):"–",series:[{name:"waited",values:s("waited"),tone:"waiting",form:"bars"}]},{id:"doubt",title:"In doubt",about:"actions with an unknown outcome",unit:"count",days:n,headline:`${i("in_doubt")} ${i("in_doubt")===1?"action":"actions"}`,series:[{name:"in doubt",values:o("in_doubt"),tone:"doubt",form:"bars",pattern:"hatch"}]}]}function uu(e){return{header:["day",...e.series.map(t=>t.name)],rows:e.days.map((t,n)=>[t,...e.series.map(o=>o.values[n])])}}function pu(e){let t=e.flatMap(n=>n.series.map(o=>({name:`${n.id}: ${o.name}${n.unit==="seconds"?" (s)":""}`,values:o.values})));return{header:["day",...t.map(n=>n.name)],rows:(e[0]?.days??[]).map((n,o)=>[n,...t.map(s=>s.values[o])])}}function Ft(e,t){return e==null?"–":t==="seconds"?Xn(Number(e)):t==="share"?ss(e):String(e)}function Xn(e){return e===0?"0":e<1?`${Math.round(e*1e3)} ms`:e<120?`${ns(e)} s`:e<7200?`${ns(e/60)} min`:e<172800?`${ns(e/3600)} h`:`${ns(e/86400)} d`}function rs(e,t){return $n(e)?new Intl.DateTimeFormat("en-GB",{day:"numeric",month:"short",hour:"2-digit",minute:"2-digit",timeZone:t}).format(Date.parse(e)):e}function $u(e={},t={}){return Object.entries(e).sort((n,o)=>o[1]-n[1]).slice(0,fu).map(([n,o])=>({name:n,value:o,text:t[n]?.calls?`${o} of ${t[n].calls}`:String(o),tone:"failed"}))}function mu(e={}){return Object.entries(e).sort((t,n)=>n[1]-t[1]).map(([t,n])=>({name:lb[t]??t,value:n,text:String(n),tone:"failed"}))}function hu(e={}){return Object.entries(e).filter(([,t])=>t.compared).map(([t,n])=>{let[o,s]=[Number(n.estimated??0),Number(n.actual??0)];return{name:t,value:o?s/o:0,text:`${cb(s,o)} (${Xn(s)} for ${Xn(o)})`,tone:s>o?"doubt":"ok"}}).sort((t,n)=>n.value-t.value).slice(0,fu)}function gu(e={}){return{header:["agent","executions","success","failed","interrupted","actions","failed actions","in doubt","undone","p50","p95"],rows:Object.entries(e).map(([t,n])=>{let{started:o=0,completed:s=0,failed:r=0,cancelled:i=0,interrupted:l=0,actions:c=0,failures:d=0,undos:u=0,in_doubt:p=0,durations:$}=n,f=s+r+i;return[t,o,f?ss(s/f):null,r,l,c,d,p,u,fn($.p50),fn($.p95)]})}}function bu(e={}){let t=Object.entries(e).sort((n,o)=>(o[1].durations.p95??-1)-(n[1].durations.p95??-1));return{header:["tool","calls","failed","in doubt","p50","p90","p95","longest"],rows:t.map(([n,{calls:o=0,failed:s=0,in_doubt:r=0,durations:{p50:i,p90:l,p95:c,longest:d}}])=>[n,o,s,r,fn(i),fn(l),fn(c),fn(d)])}}function yu(e={}){return Object.entries(e).map(([t,{observed:n=0,claimed:o=0,in_doubt:s=0}])=>{let r=n+o,i=s?`, ${s} in doubt`:"";return{name:t||"unknown",value:r?n/r:0,tone:"ok",text:r?`${ss(n/r)} of ${r}${i}`:"no calls"}})}function xu({executions:e=0,actions:t=0,whole_from:n="",detail_from:o=""},s){let r=`Of ${os(e,"execution")} and ${os(t,"action")}.`,i=n?` What started before ${s(n)} was not looked at.`:"",l=o?` Retries, estimates, failures by tool, durations by tool and coverage are of what was done since ${s(o)}.`:"";return r+i+l}var ss,ns,$n,fu,lb,cb,fn,os,as=E(()=>{ss=e=>`${Math.round(e*1e3)/10} %`;ns=e=>String(Math.round(e*10)/10),$n=e=>(e??"").includes("T");fu=12;lb={timed_out:"timed out",rate_limited:"too many requests",no_connection:"no connection",not_permitted:"not permitted",not_found:"not found",conflict:"conflict, exists already",invalid:"invalid request",server_error:"server error",out_of_space:"out of disk or memory",cancelled:"cancelled, interrupted",exit_code:"exit code only",other:"something else",no_text:"no error text"};cb=(e,t)=>`${(e/t).toFixed(1)} ×`;fn=e=>e===void 0?null:Xn(Number(e));os=(e,t,n=`${t}s`)=>`${e} ${e===1?t:n}`});function _u(e){let t=document.createElement("span");t.hidden=!0,e.append(t);let n=r=>(t.style.color=`var(${r})`,getComputedStyle(t).color),o={};for(let r of["ok","failed","doubt","waiting","running","undo","idle"])o[r]=n(`--${r}-fill`);o.accent=n("--accent");let s={line:n("--line"),faint:n("--ink-faint"),surface:n("--surface"),sans:getComputedStyle(e).fontFamily};return t.remove(),{...s,of:r=>o[r]??o.idle}}function wu(e,t){let n=t.of(e.tone);if(!e.pattern)return n;let o=8,s=Object.assign(document.createElement("canvas"),{width:o,height:o}),r=s.getContext("2d");if(!r)return n;if(r.fillStyle=n,r.fillRect(0,0,o,o),r.strokeStyle=r.fillStyle=t.surface,r.lineWidth=2,e.pattern==="hatch")for(let i of[-o,0,o])r.beginPath(),r.moveTo(i,o),r.lineTo(i+o,0),r.stroke();else e.pattern==="stripes"?(r.fillRect(0,0,o,2),r.fillRect(0,4,o,2)):e.pattern==="columns"?(r.fillRect(0,0,2,o),r.fillRect(4,0,2,o)):e.pattern==="grid"?(r.fillRect(0,0,o,1),r.fillRect(0,0,1,o)):(r.beginPath(),r.arc(o/2,o/2,1.5,0,7),r.fill());return i=>i.ctx.createPattern(s,"repeat")}var vu=E(()=>{});function Eu({figure:e}){let t=A(null),[n,o]=h(null),s=Do(Sl),r=me("theme"),i=tt(),[l,c]=h(!1);return _(()=>{let d=matchMedia("(prefers-color-scheme: dark)"),u=()=>c(p=>!p);return d.addEventListener("change",u),()=>d.removeEventListener("change",u)},[]),ke(()=>{let d=t.current;if(!d||!s)return;let u=new s(mb(s,e,d,i,o),pb(e),d),p=new ResizeObserver(()=>u.setSize({width:d.clientWidth,height:ku}));return p.observe(d),()=>{p.disconnect(),u.destroy()}},[s,e,r,l,i]),a`<div class="plot">
    <p class="plot-readout" aria-hidden="true">
      ${n===null?a`<span class="plot-legend">${e.series.map(d=>a`<span><i class=${`swatch swatch-${d.form} pattern-${d.pattern??"plain"} tone-${d.tone}`}></i>${d.name}</span>`)}</span>`:a`<strong>${rs(e.days[n],i)}</strong> ${e.series.map(d=>a`<span>${d.name} ${Ft(d.values[n],e.unit)}</span>`)}`}
    </p>
    <div class="plot-canvas" ref=${t} role="img" aria-label=${`${e.title}, ${e.headline}; the table holds the values`}></div>
  </div>`}function Tu(e){let t=e.days.map(()=>0);return e.series.map(n=>!e.stacked||n.form!=="bars"?n.values:(t=t.map((o,s)=>Number(o)+Number(n.values[s]??0)),t))}function Mu(e){let t=e.series.map((o,s)=>({series:o,index:s})).filter(o=>o.series.form==="bars").reverse(),n=e.series.map((o,s)=>({series:o,index:s})).filter(o=>o.series.form==="line");return[...t,...n]}function pb(e){let t=Tu(e);return[e.days.map(n=>Date.parse(n)/1e3),...Mu(e).map(({index:n})=>t[n])]}function fb(e){let t=Tu(e).flat().filter(i=>Number(i)>0).map(Number),[n,o]=[Math.min(...t),Math.max(0,...t)],s=e.series.every(i=>i.form==="line");if(e.unit==="seconds"&&s&&o>n*db)return{distr:3,range:()=>[10**Math.floor(Math.log10(n)),10**Math.ceil(Math.log10(o))]};let r=e.unit==="count"?4:1;return{range:()=>[0,e.unit==="share"?1:Math.max(o,r)*1.08]}}function $b(e,t){let n=new Intl.DateTimeFormat("en-GB",{day:"numeric",month:"short",timeZone:t}),o=new Intl.DateTimeFormat("en-GB",{hour:"2-digit",minute:"2-digit",timeZone:t}),s=r=>e&&o.format(r)!=="00:00"?o.format(r):n.format(r);return{space:64,size:24,incrs:e?[1,2,3,6,12,24].map(r=>r*ra):[1,2,7,14,30,90].map(r=>r*Su),values:(r,i)=>i.map(l=>s(l*1e3))}}function mb(e,t,n,o,s){let r=_u(n),i=`11px ${r.sans}`,l={stroke:r.faint,font:i,grid:{stroke:r.line,width:1},ticks:{show:!1}},c=$n(t.days[0]),d=c?o:"Etc/UTC",u=(c?ra:Su)/2,p=fb(t);return{width:n.clientWidth,height:ku,legend:{show:!1},tzDate:$=>e.tzDate(new Date($*1e3),d),cursor:{y:!1,drag:{setScale:!1,x:!1,y:!1},points:{size:6}},hooks:{setCursor:[$=>s($.cursor.idx??null)]},scales:{x:{range:($,f,g)=>[f-u,g+u]},y:p},axes:[{...l,grid:{show:!1},...$b(c,d)},{...l,size:56,space:36,...p.distr?{}:{incrs:ub[t.unit]},values:($,f)=>f.map(g=>g===null?"":Ft(g,t.unit))}],series:[{},...Mu(t).map(({series:$})=>({label:$.name,stroke:r.of($.tone),width:$.form==="line"?1.75:0,spanGaps:!1,dash:$.pattern==="dash"?[5,4]:void 0,fill:$.form==="bars"?wu($,r):void 0,paths:$.form==="bars"?e.paths.bars({size:[.72,28],radius:.12}):e.paths.linear(),points:{show:$.form==="line",size:4}}))]}}var ku,ra,Su,db,ub,Cu=E(()=>{v();xr();Ve();mt();as();vu();ku=168,ra=3600,Su=24*ra,db=50,ub={count:[1,2,5,10,20,50,100,200,500,1e3,2e3,5e3,1e4,5e4],seconds:[.1,.5,1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,10800,21600,43200,86400,172800,604800],share:[.25,.5]}});function Au({figure:e}){let[t,n]=h(!1),o=a`
    <${w} kind="ghost" icon="table" pressed=${t} label=${`${e.title} as a table`} onClick=${()=>n(!t)} />
    <${w} kind="ghost" icon="export" label=${`${e.title} as CSV`} onClick=${()=>hb(e)} />`;return a`<${D} class="figure" title=${e.title} actions=${o} data-testid=${`figure-${e.id}`}>
    <p class="figure-number num">${e.headline}</p>
    <p class="figure-about soft">${e.about}</p>
    ${t?a`<${gb} figure=${e} />`:a`<${Eu} figure=${e} />`}
  <//>`}function hb(e){let{header:t,rows:n}=uu(e);Ye(`tallystick-${e.id}.csv`,pn(t,n),"text/csv")}function gb({figure:e}){let t=tt();return a`<div class="figure-table" role="region" aria-label=${`${e.title}, values`} tabindex="0">
    <table class="table">
      <thead><tr><th scope="col">${$n(e.days[0])?"hour":"day"}</th>${e.series.map(n=>a`<th scope="col" class="right">${n.name}</th>`)}</tr></thead>
      <tbody>${e.days.map((n,o)=>a`<tr key=${n}><th scope="row">${rs(n,t)}</th>${e.series.map(s=>a`<td class="right num">${Ft(s.values[o],e.unit)}</td>`)}</tr>`).reverse()}</tbody>
    </table>
  </div>`}function Qn({title:e,about:t,rows:n,none:o,id:s}){let r=Math.max(1,...n.map(l=>l.value)),i=a`<${w} kind="ghost" icon="export" label=${`${e} as CSV`}
    onClick=${()=>Ye(`tallystick-${s}.csv`,pn(["name","value","text"],n.map(l=>[l.name,l.value,l.text])),"text/csv")} />`;return a`<${D} class="figure" title=${e} actions=${i} data-testid=${`figure-${s}`}>
    <p class="figure-about soft">${t}</p>
    ${n.length?a`<table class="figure-bars"><tbody>${n.map(l=>a`<tr key=${l.name}>
          <th scope="row" title=${_e(l.name)}><${m} text=${l.name} /></th>
          <td><svg class=${`figure-bar tone-${l.tone}`} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width=${l.value/r*100} height="10" /></svg></td>
          <td class="right num">${l.text}</td></tr>`)}</tbody></table>`:a`<p class="soft figure-none">${o}</p>`}
  <//>`}function aa({title:e,about:t,id:n,data:{header:o,rows:s},none:r}){let i=a`<${w} kind="ghost" icon="export" label=${`${e} as CSV`} onClick=${()=>Ye(`tallystick-${n}.csv`,pn(o,s),"text/csv")} />`;return a`<${D} class="figure figure-wide" title=${e} actions=${i} data-testid=${`figure-${n}`}>
    <p class="figure-about soft">${t}</p>
    ${s.length?a`<div class="figure-scroll" role="region" aria-label=${e} tabindex="0"><table class="table">
          <thead><tr>${o.map((l,c)=>a`<th scope="col" class=${c?"right":null}>${l}</th>`)}</tr></thead>
          <tbody>${s.map(([l,...c])=>a`<tr key=${l}><th scope="row"><${m} text=${String(l)} /></th>
            ${c.map(d=>a`<td class=${te("right num",!d&&"faint")}>${d??"–"}</td>`)}</tr>`)}</tbody>
        </table></div>`:a`<p class="soft figure-none">${r}</p>`}
  <//>`}var Ou=E(()=>{sa();Fn();v();z();mt();as();Cu()});var Nu={};Ce(Nu,{Page:()=>xb});function xb({query:e}){let t=e.get("days")||"",n=t==="1"?"hour":"",o=Object.fromEntries(Iu.map(([f])=>[f,e.get(f)||""])),{data:s,problem:r,reload:i}=P({by:[t,...Object.values(o)],kinds:yb},f=>T("/v1/series",{days:t,by:n,...o},{signal:f})),l=le(()=>du(s?.days??[],s?.durations),[s]),c=s&&!s.days.some(f=>f.started),d=me("zone"),u=f=>Nt(f,d),p=s?.detail_from?`; only what was done since ${u(s.detail_from)}`:"",$=()=>{let{header:f,rows:g}=pu(l);Ye(`tallystick-stats-${t?`${t}-days`:"all"}.csv`,pn(f,g),"text/csv")};return a`<div class="page stats">
    <div class="page-head">
      <h1>Stats</h1>
      <${ae} label="Days" value=${t} choices=${bb} onChange=${f=>Q({days:f})} />
      ${Iu.map(([f,g])=>a`<${_b} key=${f} name=${f} word=${g} value=${o[f]} />`)}
      <div class="page-head-end"><${w} icon="export" disabled=${!s} onClick=${$}>Export as CSV<//></div>
    </div>
    <${N} problem=${r} retry=${i} />
    ${s?c?a`<${D}><${F} icon="stats" title="Nothing was started."><p>Choose more days, or fewer filters.</p><//><//>`:a`<div class="figures">
            ${l.map(f=>a`<${Au} key=${f.id} figure=${f} />`)}
            <${Qn} id="failures" title="Failures by tool" about=${`actions that ended with failed, of the calls of the tool${p}`} rows=${$u(s.failures,s.tools)} none="No tool failed." />
            <${Qn} id="errors" title="Failures by kind of error" about=${`estimated from the texts of the newest failures${p}`} rows=${mu(s.errors)} none="Nothing failed." />
            <${Qn} id="estimates" title="Estimate against actual, by tool" about=${`steps that had an estimate and succeeded: how many times as long they took${p}`} rows=${hu(s.tools)} none="No step with an estimate succeeded." />
            <${Qn} id="coverage" title="Coverage by client" about=${`calls that a hook, a gateway or an adapter saw; the others were only claimed${p}`} rows=${yu(s.coverage)} none="No call was recorded." />
            <${aa} id="agents" title="Agents side by side" about="executions by the agent that started them; success is the share of those that ended with a verdict" data=${gu(s.agents)} none="No agent started anything." />
            <${aa} id="tools" title="Durations by tool" about=${`of calls that ended: half took less than p50, 90 and 95 of 100 less than p90 and p95${p}`} data=${bu(s.tools)} none="No call was recorded." />
          </div>
          <p class="soft">${xu(s,u)}${s.by==="day"?" Days are in UTC.":""}</p>`:!r&&a`<${H} />`}
  </div>`}function _b({name:e,word:t,value:n}){return a`<label class="inline-field"><span>${t}</span>
    <input type="text" size="12" value=${n} placeholder="all" spellcheck="false" onChange=${o=>Q({[e]:o.target.value.trim()})} /></label>`}var bb,Iu,yb,Lu=E(()=>{G();Ou();as();sa();Fn();v();ee();U();Ve();z();bb=[["","All"],["1","Today"],["7","7 days"],["30","30 days"],["90","90 days"]],Iu=[["task_id","Task"],["actor","Agent"],["client","Client"]],yb=["execution_","approval_decided"]});function ia(e){let t=vb(e);if(!t)return t;let n=[...e.undos.values()],o=wb.find(([,r])=>n.some(i=>r.has(i)))?.[0]??t,s=o==="undone"&&e.cancellable==="partially-reversible"?"partly":o;return e.kept&&s!=="undone"?"kept":s}function vb(e){return e.kind==="undo"||e.undoes.length||e.effect==="read"||e.state==="skipped"||e.state==="failed"&&e.withoutEffect?"":e.cancellable==="irreversible"?"not_possible":e.whileUnwinding?"may_be_undo":"not_undone"}var wb,Ru=E(()=>{wb=[["undone",new Set(["ok"])],["undoing",new Set(["open"])],["in_doubt",new Set(["unknown","doubted"])],["failed",new Set(["failed"])]]});function Du(){return{seq:0,at:"",status:"",planId:"",revision:0,steps:new Map,actions:new Map,approvals:new Map,decisions:[],context:new Map}}function Eb(e,t){e.seq=t.seq,e.at=t.at,qb[t.kind]?.(e,t,t.facts??{},t.body??{})}function Pu(e){return[...e.actions.values()].map(t=>({action:t,word:ia(t)})).filter(({word:t})=>t&&t!=="undone"&&t!=="kept").sort((t,n)=>+(t.word==="may_be_undo")-+(n.word==="may_be_undo")||n.action.seq-t.action.seq)}function la(e,t){let n=e.steps.get(t),o=n?.status==="done"?e.actions.get(n.action):void 0;return o&&ia(o)==="undone"&&[...o.undos].some(([i,l])=>l==="ok"&&e.actions.get(i)?.kind==="undo")?"undone":n?.status||"planned"}function ju(e){let t=new Set(["open","doubted","unknown"]);return[...e.actions.values()].filter(n=>t.has(n.state))}function Tb(e,t,n){e.status="running",e.planId=n.plan_id??"",e.revision=n.revision??0}function Mb(e,t,n){e.status=n.status}function Cb(e,t,n,o){let s={id:t.id,state:"open",seq:t.seq,at:t.at,endSeq:0,ended:"",kind:n.action_kind??"do",undoes:n.undoes?[n.undoes,...n.undoes_too??[]]:[],kept:!1,tool:n.tool??"",step:n.step??"",effect:n.effect??"unsafe",cancellable:n.cancellable??"",attempt:n.attempt??1,summary:typeof o.summary=="string"?o.summary:"",actor:t.actor,witness:t.witness,withoutEffect:!1,whileUnwinding:!!n.while_unwinding,undos:new Map};e.actions.set(s.id,s),ca(e,n),ls(e,s,!0)}function Ab(e,t,n){let o=e.actions.get(t.id);if(!o)return;let s=n.contradicts?"doubted":n.outcome,r=o.state==="failed"&&s==="failed";if(o.withoutEffect=!!n.without_effect||r&&o.withoutEffect,n.contradicts){o.kept=!1;for(let[d,u]of o.undos)["ok","failed","skipped"].includes(u)&&o.undos.delete(d)}let i=o.state==="ok"&&s!=="ok",l=o.state===s&&["ok","failed","skipped"].includes(s);o.state=s,o.endSeq=t.seq,l||(o.ended=t.at);let c=s==="skipped"&&(t.witness==="observed"||!!n.settles);ls(e,o,!1,i,c)}function Ob(e,t){let n=e.actions.get(t.id);n&&(n.state="doubted",ls(e,n,!1))}function Ib(e,t,n){let o=n.call?e.actions.get(t.id):void 0;o&&(t.witness==="observed"&&(o.witness="observed"),n.effect&&(o.effect=n.effect,o.tool=n.tool??"",n.step&&qu(e,o,{step:n.step})),ca(e,n))}function Nb(e,t,n,o){let s=typeof o.why=="string"?o.why:"";if(e.decisions.push({seq:t.seq,at:t.at,decision:n.decision,why:s,step:n.step??"",actor:n.credential||t.actor}),n.decision==="keep"){for(let l of n.kept??[])Lb(e,l);return}if(n.action_id){let l=e.actions.get(n.action_id);l&&qu(e,l,n),ca(e,{approval_id:n.used});return}let r=n.step?Bu(e,n.step):void 0;r&&n.decision==="skip"&&(r.status="skipped"),r&&(r.decided=n.decision);let i=e.approvals.get(n.approval_id);i&&(i.blocks=!0),n.decision==="replan"&&n.revision&&(e.revision=n.revision),Sb.has(e.status)||(e.status=n.status)}function qu(e,t,n){t.step||t.undoes.length||t.kind==="undo"||(t.whileUnwinding=!1,t.step=n.step??"",t.cancellable||=n.cancellable??"",t.undoes=n.undoes?[n.undoes,...n.undoes_too??[]]:[],n.undoes&&!n.step&&(t.kind="undo"),t.attempt=n.step?(e.steps.get(n.step)?.attempts??0)+1:1,ls(e,t,!0))}function Lb(e,t){let n=e.actions.get(t);n&&(n.kept=!0)}function Rb(e,t,n,o){let s=typeof o.question=="string"?o.question:"";e.approvals.set(t.id,{seq:t.seq,question:s,tool:n.tool??"",status:"pending",blocks:!1})}function Db(e,t,n){let o=e.approvals.get(t.id);if(!o)return;o.status=n.verdict;let s=[...e.approvals.values()].some(r=>r.blocks&&r.status==="pending");e.status==="blocked"&&!s&&(e.status="running")}function Pb(e,t,n,o){e.context.set(n.key,{seq:t.seq,value:o.null?null:o.value})}function ca(e,t){let n=t.approval_id?e.approvals.get(t.approval_id):void 0;n&&["approve","edit"].includes(n.status)&&(n.status="used")}function Bu(e,t){let n=e.steps.get(t)??{status:"planned",attempts:0,action:"",decided:""};return e.steps.set(t,n),n}function ls(e,t,n,o=!1,s=!1){for(let l of t.undoes){let c=e.actions.get(l);c&&(n||o)&&(c.kept=!1),c?.undos.set(t.id,t.state)}if(t.kind!=="do"||!t.step)return;let r=Bu(e,t.step),i=s?"planned":kb[t.state];!n&&jb(r,t,i)||Object.assign(r,{status:i,action:t.id,attempts:r.attempts+(n?1:0),decided:""})}function jb(e,t,n){return e.action&&e.action!==t.id?n!=="done":e.decided==="skip"&&(n==="in_doubt"||n==="planned")}var kb,Sb,is,qb,da=E(()=>{Ru();kb={open:"running",ok:"done",failed:"failed",skipped:"skipped",unknown:"in_doubt",doubted:"in_doubt"},Sb=new Set(["completed","failed","cancelled","closed"]);is=class{constructor(t){this.entries=t,this.folded=0,this.state=Du()}at(t){for(t<this.folded&&(this.folded=0,this.state=Du());this.folded<t;this.folded+=1)Eb(this.state,this.entries[this.folded]);return this.state}countTo(t){let n=this.entries.findIndex(o=>o.seq>t);return n<0?this.entries.length:n}};qb={execution_started:Tb,execution_ended:Mb,action_begun:Cb,action_ended:Ab,action_doubted:Ob,action_noted:Ib,decision_recorded:Nb,approval_requested:Rb,approval_decided:Db,context_recorded:Pb}});function zu(e){let[t,n]=h({entries:[],complete:!1,problem:null}),[o,s]=h(0);return Ie(r=>r?.kind==="body_erased"&&s(i=>i+1)),_(()=>{let r=new AbortController;return n({entries:[],complete:!1,problem:null}),zb(e,r.signal,(i,l)=>n({entries:i,complete:l,problem:null})).catch(i=>!r.signal.aborted&&n(l=>({...l,problem:i}))),()=>r.abort()},[e,o]),t}async function zb(e,t,n){let o=[],s=0;for(;;){let r=await T("/v1/entries",{execution_id:e,after:s,limit:Bb},{signal:t});if(o=[...o,...r.entries],s=r.last_seq,n(o,!r.more),!r.more)return}}function cs(e){let{facts:t={},body:n}=e,o=t.channel==="client"?"A client answered":Hb[e.kind]??e.kind.replaceAll("_"," "),s=[t.outcome,t.decision?.replaceAll("_"," "),t.verdict,t.status&&e.kind==="execution_ended"?t.status:"",t.tool,t.step&&`step ${t.step}`,t.key],r=n?.summary||n?.why||n?.question||n?.error||n?.reason||"";return{word:o,what:s.filter(Boolean).join(" · "),text:typeof r=="string"?r:re(r)}}function ds(e){return e.kind==="action_ended"&&e.facts?.outcome==="failed"?"failed":e.kind==="action_doubted"||e.facts?.outcome==="unknown"?"in_doubt":e.kind==="decision_recorded"?"decision":e.kind.startsWith("approval_")?"approval":""}var Bb,Fb,Fu,Hb,us=E(()=>{G();v();Re();ee();Bb=1e3;Fb=new Set(["action_begun","action_ended","decision_recorded","approval_requested","context_recorded"]),Fu=e=>e.findIndex(t=>Fb.has(t.kind))+1,Hb={execution_started:"The execution started",execution_ended:"The execution ended",action_begun:"An action began",action_ended:"An action ended",action_doubted:"An action is in doubt",action_noted:"A note on an action",decision_recorded:"A decision",approval_requested:"A person is asked",approval_decided:"A person answered",context_recorded:"A context value is recorded"}});function Hu({entry:e,execution:t}){let{word:n,what:o,text:s}=cs(e);return a`<${D} class="now-entry" title=${n} actions=${a`<a href=${x(`/x/${t}`,{tab:"journal",entry:e.seq})}>entry ${e.seq}</a>`}>
    <p class="now-what"><strong><${m} text=${o} /></strong></p>
    ${s&&a`<p class="now-text"><${De} text=${s} /></p>`}
    <p class="soft now-about"><span><${m} text=${e.facts?.credential||e.actor} /></span><${Qe} witness=${e.witness} /><${I} at=${e.at} form="absolute" /></p>
    ${e.body&&a`<details><summary>Details</summary><${ie} value=${e.body} label="body" /></details>`}
  <//>`}function Uu({state:e,steps:t,entry:n}){if(!t.length)return null;let o=(...r)=>t.filter(i=>r.includes(la(e,i.id))).length,s={done_steps:o("done","undone"),undone_steps:o("undone"),skipped_steps:o("skipped"),total_steps:t.length};return a`<${D} flush title=${`Plan, revision ${e.revision}`} actions=${a`<span class="soft num">${rt(s)}</span>`}>
    <ul class="then">
      ${t.map(r=>{let i=e.steps.get(r.id);return a`<li key=${r.id} class=${n.facts?.step===r.id?"is-now":null}>
          <${K} state=${la(e,r.id)} quiet />
          <span class="then-text"><${m} text=${r.title||r.id} /></span>
          ${i&&i.attempts>1?a`<span class="soft">attempt ${i.attempts}</span>`:null}
        </li>`})}
    </ul>
  <//>`}function Wu({state:e,now:t}){let n=ju(e);return a`<${D} flush title="Open or in doubt" actions=${a`<span class="soft num">${n.length}</span>`}>
    ${n.length?a`<ul class="then">${n.slice(-50).map(o=>a`<li key=${o.id} class=${o.id===t?"is-now":null}>
          <${K} state=${o.state} quiet /><span class="then-text"><${m} text=${o.summary||o.tool||o.id} /></span>
          <code class="soft">${o.id}</code></li>`)}</ul>`:a`<p class="then-none">No open actions.</p>`}
  <//>`}function Ku({state:e,now:t}){let n=Pu(e);return a`<${D} flush title="Undo list" actions=${a`<span class="soft num">${n.length}</span>`}>
    ${n.length?a`<ul class="then">${n.slice(0,50).map(({action:o,word:s})=>a`<li key=${o.id} class=${o.id===t?"is-now":null}>
          <${K} state=${s} quiet /><span class="then-text"><${m} text=${o.summary||o.tool||o.id} /></span>
          ${o.state!=="ok"&&a`<span class="soft">may have happened</span>`}</li>`)}</ul>`:a`<p class="then-none">Nothing to undo.</p>`}
  <//>`}function Vu({state:e}){let t=[...e.approvals.entries()];return a`<${D} flush title="Decisions and approvals" actions=${a`<span class="soft num">${e.decisions.length+t.length}</span>`}>
    ${e.decisions.length||t.length?a`<ul class="then">
          ${t.map(([n,o])=>a`<li key=${n} class=${o.seq===e.seq?"is-now":null}><${K} state=${o.status} quiet /><a class="then-text" href=${x(`/approvals/${n}`)}><${m} text=${o.question||n} /></a></li>`)}
          ${e.decisions.toReversed().slice(0,50).map(n=>a`<li key=${n.seq} class=${n.seq===e.seq?"is-now":null}>
            <strong>${n.decision.replaceAll("_"," ")}</strong><span class="then-text soft"><${m} text=${n.why} /></span></li>`)}
        </ul>`:a`<p class="then-none">Nothing yet.</p>`}
  <//>`}var Gu=E(()=>{v();U();z();je();da();us()});function Ju({entries:e,complete:t,at:n,onMove:o,playing:s,onPlay:r,speed:i,onSpeed:l}){let c=e.length,d=f=>(r(!1),o(Math.max(1,Math.min(c,f)))),u=f=>{let g=f>0?e.findIndex((b,C)=>C>=n&&ds(b)):e.slice(0,n-1).findLastIndex(b=>ds(b));g>=0&&d(g+1)};Gb(s,Number(i),()=>n<c?o(n+1):r(!1)),fe("Replay",{Space:{label:"play or stop",run:()=>r(!s)},ArrowRight:{label:"next entry",run:()=>d(n+1)},ArrowLeft:{label:"previous entry",run:()=>d(n-1)},l:{label:"next mark: a failure, a doubt, a decision, an approval",run:()=>u(1)},h:{label:"previous mark",run:()=>u(-1)},Home:{label:"to the first entry",run:()=>d(1)},End:{label:"to the last entry",run:()=>d(c)}});let p=e[n-1],$=p?cs(p):{word:"",what:""};return a`<div class="track">
    <div class="track-buttons">
      <${w} kind="ghost" icon="first" label="To the first entry" onClick=${()=>d(1)} />
      <${w} kind="ghost" icon="left" label="Previous entry" onClick=${()=>d(n-1)} />
      <${w} kind="primary" icon=${s?"paused":"running"} onClick=${()=>r(!s)} class="track-play">${s?"Stop":n>=c?"Play again":"Play"}<//>
      <${w} kind="ghost" icon="right" label="Next entry" onClick=${()=>d(n+1)} />
      <${ae} label="Entries per second" value=${i} choices=${Ub} onChange=${l} />
      <span class="track-place num">entry ${n} of ${c}${t?"":" read so far"}</span>
    </div>
    <div class="track-line">
      <${Kb} entries=${e} />
      <input type="range" min="1" max=${Math.max(1,c)} step="1" value=${n} aria-label="Entry" data-testid="scrubber"
        aria-valuetext=${`entry ${n} of ${c}: ${$.word} ${$.what}`} onInput=${f=>d(Number(f.target.value))} />
    </div>
    <p class="track-legend soft">
      <span><i class="mark mark-failed"></i> failed</span><span><i class="mark mark-in_doubt"></i> in doubt</span>
      <span><i class="mark mark-decision"></i> decision</span><span><i class="mark mark-approval"></i> approval</span>
      <span class="track-keys"><${Be} keys="h" /> <${Be} keys="l" /> between marks, <${Be} keys="Space" /> to play</span>
    </p>
  </div>`}function Kb({entries:e}){let t=e.map((s,r)=>({kind:ds(s),index:r})).filter(s=>s.kind),n=Math.ceil(t.length/Wb),o=s=>e.length>1?s/(e.length-1)*1e3:0;return a`<svg class="track-marks" viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true">
    ${t.filter((s,r)=>r%n===0).map(s=>a`<path key=${s.index} class=${`mark-${s.kind}`} d=${`M${o(s.index)} ${Vb[s.kind]}V12`} vector-effect="non-scaling-stroke" />`)}
  </svg>`}function Gb(e,t,n){let o=A(n);o.current=n,_(()=>{if(!e)return;let s=setInterval(()=>o.current(),1e3/t);return()=>clearInterval(s)},[e,t])}var Ub,Wb,Vb,Yu=E(()=>{v();Ae();z();us();Ub=[["1","1/s"],["4","4/s"],["20","20/s"]],Wb=400;Vb={failed:0,in_doubt:2,approval:5,decision:7}});var Xu={};Ce(Xu,{Page:()=>Yb});function Yb({id:e,query:t}){let{entries:n,complete:o,problem:s}=zu(e),r=P({by:[e],kinds:["execution_ended"]},j=>T(`/v1/executions/${encodeURIComponent(e)}/status`,{limit:1},{signal:j})),i=r.data?.execution,l=P({by:[i?.plan_id??""],kinds:["plan_recorded"]},j=>i?.plan_id?T(`/v1/plans/${i.plan_id}`,{},{signal:j}):Promise.resolve(null)),c=me("zone"),[d,u]=h(0),[p,$]=h(!1),[f,g]=h("4"),b=le(()=>new is(n),[n]),C=Number(t.get("at"))||0;_(()=>{d||!n.length||!o&&n[n.length-1].seq<C||u(Math.max(1,C?b.countTo(C):Fu(n)))},[n,o]),_(()=>{if(!d||p)return;let j=setTimeout(()=>Q({at:n[d-1]?.seq},{replace:!0}),Jb);return()=>clearTimeout(j)},[d,p]);let M=j=>{j&&d>=n.length&&u(1),$(j)},y=Math.min(d,n.length),k=n[y-1],O=k?b.at(y):null,V=l.data?.revisions.find(j=>j.revision===O?.revision)?.steps??[];return a`<div class="page replay">
    <header class="replay-head">
      <p><a class="back" href=${x(`/x/${e}`)}>Current state of the execution</a></p>
      <div class="page-head">
        <h1>Replay of <${m} text=${i?.title||e} /></h1>
        ${O?.status&&a`<${K} state=${O.status} />`}
        ${k&&a`<time class="soft num" dateTime=${k.at}>${en(k.at,c)}</time>`}
      </div>
    </header>
    <${N} problem=${s||r.problem} />
    ${!k||!O?!s&&a`<${H} what=${n.length?`Reading, ${n.length} entries so far`:"Reading"} />`:a`
        <${Ju} entries=${n} complete=${o} at=${y} onMove=${u} playing=${p} onPlay=${M} speed=${f} onSpeed=${g} />
        ${!o&&a`<p class="soft" role="status">Reading on: ${n.length} entries so far.</p>`}
        <div class="replay-body">
          <div><${Hu} entry=${k} execution=${e} /><${Vu} state=${O} /></div>
          <div><${Uu} state=${O} steps=${V} entry=${k} /><${Wu} state=${O} now=${k.id} /></div>
          <div><${Ku} state=${O} now=${k.id} /></div>
        </div>
        <p class="soft">A doubt appears with the entry that records it. Owed actions are listed newest first; the page of the execution has the order to undo them.</p>`}
  </div>`}var Jb,Qu=E(()=>{G();v();ee();da();Gu();us();Yu();U();Ve();z();Jb=300});async function Zu(e,t){let n=[],o=0;for(let s=!0;s;){let r=await T("/v1/export",{after:o,limit:Xb});n.push(...r.lines.map(i=>`${i.trimEnd()}
`)),{last_seq:o,more:s}=r,t(o)}Ye(`${e}.jsonl`,n,"application/x-ndjson")}var Xb,ep=E(()=>{G();Fn();Xb=2e3});var np={};Ce(np,{Page:()=>Qb});function Qb(){let[e,t]=h({name:"",busy:!1,read:null,problem:null}),[n,o]=h(!1),s=A(null),r=async l=>{if(!l)return;t({name:l.name,busy:!0,read:null,problem:null});let c=await ey(l).then(d=>({read:d,problem:null}),d=>({read:null,problem:d}));t({name:l.name,busy:!1,...c})};return a`<div class="page import">
    <div class="page-head"><h1>Open an export</h1></div>
    <p class="soft import-lead">Choose a JSONL file of a journal, written by <code>tallystick export</code> or by the button below, or of one
      execution, written by its page. The server verifies it as far as possible and keeps it in memory for a while. Only you see it. The journals of this server are not changed.</p>
    <div class=${`drop ${n?"is-over":""}`} onDragOver=${l=>(l.preventDefault(),o(!0))} onDragLeave=${()=>o(!1)} onDrop=${l=>{l.preventDefault(),o(!1),r(l.dataTransfer?.files[0])}}>
      <${S} name="import" size=${24} />
      <p>Drop a file here, or</p>
      <${w} kind="primary" disabled=${e.busy} onClick=${()=>s.current?.click()}>Choose a file<//>
      <input ref=${s} type="file" accept=".jsonl,.ndjson,application/x-ndjson" class="visually-hidden" tabindex="-1" aria-label="JSONL file"
        onChange=${l=>(r(l.target.files[0]),l.target.value="")} />
    </div>
    <p role="status" class="soft">${e.busy?`Reading ${e.name}…`:""}</p>
    <${N} problem=${e.problem} />
    ${e.read&&a`<${ty} name=${e.name} read=${e.read} />`}
    <${Zb} />
  </div>`}function Zb(){let e=Oe(),[t,n]=h(""),[o,s]=h(null),r=Z()||e.journal||"journal";return a`<section class="take-along" aria-labelledby="take-along">
    <h2 id="take-along">Export this journal</h2>
    <p class="soft import-lead">Every entry of <code>${r}</code>, exactly as stored. Anyone can verify the file
      with <code>tallystick verify --file ${r}.jsonl</code>, or with Python alone.</p>
    <${w} icon="export" onClick=${async()=>{s(null),await Zu(r,l=>n(`Read ${l} entries…`)).then(()=>n("The download has started."),l=>(n(""),s(l)))}}>Export the whole journal<//>
    <p role="status" class="soft">${t}</p>
    <${N} problem=${o} />
  </section>`}async function ey(e){if(e.size>tp)throw Object.assign(new Error(`${e.name} is larger than ${tp/1024/1024} MB.`),{hint:"Export less, for example one execution."});return Te("/v1/imports",await e.text())}function ty({name:e,read:t}){return a`<${D} title=${e}>
    <div class="import-result">
      ${t.verified?a`<p class="import-good"><${S} name="completed" /> The chain verifies from the first entry of this file to the last. Only a head stored elsewhere can show whether later entries are missing, or whether all of it was rewritten.</p>`:a`<p class="warning-note"><${S} name="warning" /> It does not verify: ${(t.problem||"the chain is broken").replace(/\.$/,"")}. Readable entries are shown anyway; do not rely on them.</p>`}
      <${Le} rows=${[["entries",a`<span class="num">${t.entries}</span>`],["shown as",a`<code>${t.journal}</code>`]]} />
      <${Fe} kind="primary" icon="executions" href=${`/executions?journal=${encodeURIComponent(t.journal)}`}>Open it<//>
    </div>
  <//>`}var tp,op=E(()=>{G();ep();v();se();U();ze();z();tp=32*1024*1024});var sp={};Ce(sp,{Page:()=>ny});function ny(){return a`<h1 class="visually-hidden">Not found</h1>
    <${F} title="There is no page at this address.">
      <a href=${x("/executions")}>All executions</a>
    </${F}>`}var rp=E(()=>{v();U();z()});v();Wt();uo();Ae();ee();var Tr={};Ce(Tr,{Page:()=>lm});G();G();v();ee();U();z();function Ji({execution:e,task:t}){let{data:n,problem:o,reload:s}=P({by:[e,t],kinds:["context_recorded","body_erased"]},async r=>{let i=[{scope:"execution",execution_id:e},...t?[{scope:"task",task_id:t}]:[]];return(await Promise.all(i.map(c=>T("/v1/context",{...c,limit:100},{signal:r})))).flatMap(c=>c.values)});return o?a`<${N} problem=${o} retry=${s} />`:n?n.length?a`<div class="context-tab">${n.map(r=>a`<${Mf} key=${r.scope+r.key} value=${r} execution=${e} />`)}</div>`:a`<${F} icon="context" title="No context values for this execution."><a href=${x("/context")}>Context of the whole project</a></${F}>`:a`<${H} />`}function Mf({value:e,execution:t}){let[n,o]=h(!1);return a`<${D} title=${a`<code><${m} text=${e.key} /></code>`} actions=${a`<span class="faint">${e.type} · for this ${e.scope} · <${m} text=${e.actor} /> · <${I} at=${e.at} /></span>`}>
    ${e.erased||e.altered?a`<p class="soft">${e.erased?"Its text was erased.":"Its stored text was altered and is not shown."}</p>`:a`<${ie} value=${e.value} label=${e.key} />`}
    ${e.versions>1&&a`<${w} kind="ghost" aria-expanded=${String(n)} onClick=${()=>o(!n)}>${n?"Hide":"Show"} its history (${e.versions})</${w}>`}
    ${n&&a`<${Cf} value=${e} execution=${t} />`}
  </${D}>`}function Cf({value:e,execution:t}){let n=e.scope==="execution"?{execution_id:t}:{task_id:e.scope_id},{data:o,problem:s}=P({by:[e.key,e.seq]},r=>T(`/v1/context/${encodeURIComponent(e.key)}`,{scope:e.scope,...n,limit:50},{signal:r}));return s?a`<${N} problem=${s} />`:o?a`<ol class="history">${o.values.slice(1).map(r=>a`<li key=${r.seq}><p class="faint"><${I} at=${r.at} /> by <${m} text=${r.actor} /></p><${ie} value=${r.value} label=${`${e.key}, earlier`} /></li>`)}</ol>`:a`<${H} />`}v();z();function Yi({coverage:e}){return e?a`<div class="coverage-tab">
    <${D} title="Recorded actions">
      <div class="seen-figures">
        <${Co} value=${e.begun} word="begun" />
        <${Co} value=${e.ended} word="finished" />
        <${Co} value=${e.open||0} word="without an end" />
        <${Co} value=${e.unplanned||0} word="unplanned" />
      </div>
      <p class="soft">Observed: a hook, a gateway or a runner saw the call. Claimed: the agent reported it. Last entry ${e.silent_for} ago.</p>
      ${e.unobserved_client&&a`<p class="warn">No events from the hooks of ${e.unobserved_client} in this conversation: its calls are not recorded. <code>tallystick setup --check</code> says why.</p>`}
      ${e.spool_behind?a`<p class="warn">${e.spool_behind} bytes of hook events are not in the journal yet.</p>`:null}
    </${D}>
    <${D} title="Observers">
      ${e.observers?.length?e.observers.map(t=>a`<div class="observer" key=${t.session}>
              <${Le}
                rows=${[["client",a`${t.client} ${t.silent?a`<${ne} tone="failed" icon="warning">silent</${ne}>`:t.alive===!1?a`<${ne} tone="idle">ended</${ne}>`:a`<${ne} tone="ok" icon="observed">active</${ne}>`}`],["session",a`<code>${t.session}</code>`],["conversation",t.conversation],["last event",a`<${I} at=${t.last_event} />`]]}
              />
            </div>`):a`<p>No hook, gateway or adapter sees the agent of this execution: what is claimed here is only what the agent reported. To record calls by hooks, run <code>tallystick setup</code>.</p>`}
    </${D}>
  </div>`:a`<${F} title="No coverage is known." />`}function Co({value:e,word:t}){return a`<p class="seen-figure"><strong>${e??0}</strong><span>${t}</span></p>`}tn();v();Re();Nn();He();Yt();Kt();Rn();sn();tn();Wt();uo();v();se();Re();ee();U();ze();He();Yt();Kt();v();var Io=new Set,mr=new Set;function el(e,t){_(()=>{if(t)return Io.add(e),()=>{Io.delete(e);for(let n of mr)n(0)}},[e,t])}function Dn(e){let[,t]=Ht(s=>s+1,0),n=A([]);_(()=>(mr.add(t),()=>{mr.delete(t)}),[]);let o=[...e];return n.current.forEach((s,r)=>{(Io.has(s.action_id)||Io.has(s.undone_by||""))&&!e.some(l=>l.action_id===s.action_id)&&o.splice(r,0,{...s,gone:!0})}),n.current=o}function Pn({about:e,acts:t,label:n,over:o="It changed meanwhile.",first:s,more:r,onDone:i}){let[l,c]=h(""),[d,u]=h(""),p=A(void 0);el(e,!!l);let $=A(null),f=A("");_(()=>{let y=$.current;return()=>Bf(y,!!f.current)},[]),_(()=>{if(l||!f.current)return;$.current?.querySelector(d?".act-receipt":`[data-act="${f.current}"]`)?.focus()},[l]);let g=t.find(y=>y.id===l),b=p.current=l?g??p.current:void 0;if(Se()||!t.length&&!s&&!r&&!b&&!d)return null;let C=y=>(f.current=y||l,u(""),c(y)),M=y=>{let k=zf(y,e.startsWith("ex_"));$e(k,"ok"),u(k),f.current=l,c(""),i?.(y)};return a`<div class="acts" ref=${$}>
    ${!b&&a`<div class="acts-row" role="group" aria-label=${n}>
      ${s}
      ${t.map(y=>a`<${w} key=${y.id} icon=${y.icon} kind=${y.danger?"danger":"plain"} data-act=${y.id} onClick=${()=>C(y.id)}>${y.label}<//>`)}
      ${r}
    </div>`}
    ${b&&a`<${Ff} key=${b.id} act=${b} about=${e} over=${g?"":o} onDone=${M} onCancel=${()=>C("")} />`}
    ${d&&!b&&a`<p class="act-receipt" tabindex="-1" role="status"><${S} name="check" size=${14} /> ${d}</p>`}
  </div>`}function Bf(e,t){!t&&!e?.contains(document.activeElement)||setTimeout(()=>document.activeElement===document.body&&document.getElementById("main")?.focus({preventScroll:!0}))}function zf({seq:e,repeated:t,status:n,state:o,notes:s=[]},r){let i=o?` The action is ${o==="in_doubt"?"still in doubt":o}.`:n&&r?` The execution is ${n}.`:"";return`${t?"Was recorded before":"Recorded"} as entry ${e}.${i}${s.length?` ${s.join(" ")}`:""}`}function Ff({act:e,about:t,over:n,onDone:o,onCancel:s}){let r=Oe(),i=Object.fromEntries([...e.fields.map(({name:B,choices:L})=>[B,L?.[0][0]||""]),["key",""],["sent",""]]),[l,c,d]=lo(ao("act",t,e.id),i),[u,p]=h(!1),[$,f]=h(!1),[g,b]=h(null);yo(()=>b(B=>B?.status?B:null));let C=A(null),M=Me(),y=e.fields.find(({name:B,missing:L})=>L&&!l[B]?.trim()),k=e.needs==="approve"?r.may_decide:r.scopes.some(B=>B==="agent"||B==="run"),O=A(!1);_(()=>{O.current&&!co()||(O.current=!0,C.current?.querySelector("textarea, .choice button, [type=submit]")?.focus(),C.current?.scrollIntoView({block:"nearest"}))},[k]);let V=async B=>{if(B.preventDefault(),p(!0),y||$||!k||n)return;f(!0);let L=e.request(l),W=re(L),J=l.sent===W&&l.key?l.key:on();c({sent:W,key:J});try{let oe=await e.send(L,J);d(),o(oe)}catch(oe){let{status:q}=oe;(q===401||q===403)&&ut(),b(oe),f(!1)}},j=()=>{n&&d(),s()};return a`<div class="act" ref=${C} onKeyDown=${B=>{B.key==="Escape"&&(B.stopPropagation(),j()),B.key==="Enter"&&(B.metaKey||B.ctrlKey)&&V(B)}}>
    <form onSubmit=${V} aria-labelledby=${`${M}-title`}>
      <p class="act-title" id=${`${M}-title`}>${e.title}</p>
      ${e.note&&a`<p class="soft">${e.note}</p>`}
      ${e.fields.map(B=>a`<${Hf} key=${B.name} field=${B} value=${l[B.name]} onInput=${L=>c({[B.name]:L})} />`)}
      <p class="field-problem" role="alert">${u&&y?y.missing:""}</p>
      ${g&&a`<div class="act-refusal" role="alert"><${S} name="warning" size=${14} /><span>${g.message}${g.hint&&a` <strong>${g.hint}</strong>`}</span></div>`}
      ${n&&!$&&a`<div class="act-refusal" role="alert"><${S} name="warning" size=${14} /><span>${n} <strong>Nothing can be sent any more.</strong></span></div>`}
      <div class="act-send">
        ${k&&a`<${w} kind=${e.danger?"danger":"primary"} type="submit" icon=${e.icon} disabled=${$||!!n}>${e.submit}<//>`}
        <${w} kind="ghost" onClick=${j}>${n?"Close":"Not yet"}<//>
      </div>
    </form>
    ${!k&&!n&&r.version&&a`<${Uf} act=${e} />`}
    ${!n&&a`<${Wf} act=${e} open=${!k} />`}
  </div>`}function Hf({field:e,value:t,onInput:n}){let{label:o,hint:s,choices:r}=e;return r?a`<div class="field"><span>${o}</span><${ae} label=${o} value=${t} choices=${r} onChange=${n} /></div>`:a`<label class="field"><span>${o} ${s&&a`<span class="faint">${s}</span>`}</span>
    <textarea rows="2" value=${t} maxlength="2000" onInput=${i=>n(i.target.value)}></textarea></label>`}function Uf({act:e}){return e.needs==="approve"?a`<p class="note">Only a person who may decide can do this. What you typed is kept.</p><${Je} />`:a`<p class="note">This is decided by whoever may record: an agent or a runner, with the scope <code>agent</code> or <code>run</code>. Your login may not. Ask the agent, or use the command where the journal is.</p>`}function Wf({act:e,open:t}){let n=gt().commandLine(e.command);return a`<details class=${te("act-command",t&&"is-needed")} open=${t}>
    <summary>At the command line</summary>
    <span class="command"><code>${n}</code><${be} text=${n} what="the command" /></span>
  </details>`}G();tn();var gr=(e,t)=>Te("/v1/decisions",e,{key:t}),Kf=(e,t)=>Te("/v1/actions",e,{key:t}),hr=(e,t)=>({name:"evidence",label:e,hint:"recorded in the journal as yours",missing:t}),No=e=>({name:"why",label:"Reason",hint:"recorded in the journal, and shown to the agent",missing:e}),tl="Say how you know: look at the real system first.";function nl(e){let t={decision:"settle",action_id:e},n=s=>`record decision settle --action-id ${Ge(e)} --outcome ${s} --evidence 'how you know'`,o={needs:"approve",send:gr};return[{...o,id:"happened",label:"It happened",icon:"check",title:"It happened",submit:"Record that it happened",command:n("ok"),fields:[{name:"outcome",label:"What came of it",choices:[["ok","It succeeded"],["failed","It failed"],["without_effect","It failed and changed nothing"]]},hr("How you know",tl)],request:({outcome:s,evidence:r})=>({...t,evidence:r,...s==="without_effect"?{outcome:"failed",without_effect:!0}:{outcome:s}})},{...o,id:"not",label:"It did not",icon:"close",title:"It did not happen",submit:"Record that it did not happen",command:n("skipped"),note:"The agent may then do it again.",fields:[hr("How you know",tl)],request:({evidence:s})=>({...t,outcome:"skipped",evidence:s})},{...o,id:"unknown",label:"I cannot tell yet",icon:"in_doubt",title:"You cannot tell yet",submit:"Record what you looked at",command:n("unknown"),note:"It stays in doubt, and nobody repeats it. The next person reads what you looked at.",fields:[hr("What you looked at","Say what you looked at.")],request:({evidence:s})=>({...t,outcome:"unknown",evidence:s})}]}function ol(e){return[{id:"undid",label:"I undid it",icon:"unwinding",title:"You undid it",submit:"Record that it is undone",needs:"approve",send:Kf,note:"Tallystick undoes nothing: say so only when it is done.",fields:[{name:"summary",label:"What you did, and how you checked it",missing:"Say what you did."}],request:({summary:t})=>({phase:"done",kind:"undo",undoes:e,outcome:"ok",summary:t}),command:`record action done --kind undo --undoes ${Ge(e)} --outcome ok --summary 'what you did'`},{id:"keep",label:"Keep it",icon:"save",title:"Keep it as it is",submit:"Take it off the list",needs:"approve",send:gr,note:"It is then not owed any more. Nothing is undone.",fields:[No("Say why it is kept.")],request:({why:t})=>({decision:"keep",action_id:e,why:t}),command:`record decision keep --action-id ${Ge(e)} --why 'the reason'`}]}var Vf=[["stop","Stopped"],["fail","Failed"],["done","Done"]],jn=(e,t,n)=>({id:t,needs:"approve",send:gr,fields:[No(`Say why you decide to ${t}.`)],request:o=>({decision:t,execution_id:e,why:o.why}),command:`record decision ${t} --execution-id ${Ge(e)} --why 'the reason'`,...n}),Gf=e=>jn(e,"stop",{id:"end",label:"End it",icon:"cancelled",danger:!0,title:"End this execution",submit:"End it for good",note:"It stays ended. Stopped and failed: what was done and is not undone is owed. Done: what is left undone is recorded with your reason.",fields:[{name:"decision",label:"How it ended",choices:Vf},No("Say why you end it.")],request:({decision:t,why:n})=>({decision:t,execution_id:e,why:n,...t==="done"?{incomplete:!0}:{}})}),Jf={running:["pause","unwind"],blocked:["pause","unwind"],paused:["resume","unwind"],unwinding:["pause"]};function sl({id:e,status:t}){let n={pause:jn(e,"pause",{label:"Pause",icon:"paused",title:"Pause this execution",submit:"Pause it",note:"No new action may begin. What is under way may end."}),resume:jn(e,"resume",{label:"Resume",icon:"running",title:"Resume this execution",submit:"Resume it"}),unwind:jn(e,"unwind",{label:"Unwind",icon:"unwinding",danger:!0,needs:"agent",title:"Unwind this execution",submit:"Unwind it",note:"What was done becomes owed, the newest first. No planned step begins any more."})},o=Jf[t];return o?[...o.map(s=>n[s]),Gf(e)]:[]}var Yf=["running","blocked","unwinding"],qn=e=>Yf.includes(e),rl=(e,t)=>jn(e,"retry",{label:"Retry",icon:"replay",needs:"agent",title:"Permit another attempt",submit:"Permit one retry",note:"It permits one repeated call of this step.",fields:[No("Say why another attempt will do better.")],request:({why:n})=>({decision:"retry",execution_id:e,step:t,why:n}),command:`record decision retry --execution-id ${Ge(e)} --step ${Ge(t)} --why 'the reason'`});function Bn({action:e,doubtful:t=!0,onDone:n}){return a`<${Pn} about=${e} label="What came of it" acts=${t?nl(e):[]} over="It is not in doubt any more." onDone=${n} />`}var al="runner",Xf=["not_undone","undoing","partly","failed","may_be_undo","in_doubt"];function il({item:e,offered:t,onDone:n}){let{action_id:o,state:s,undo:r,undone_by:i}=e,l=t&&Xf.includes(s)&&!e.gone,c=r?.tool?`${r.tool} ${re(r.arguments||{})}`:r?.words||"",d=l&&c&&a`<${Zf} text=${c} word="Copy the undo" done="The undo is copied." />`,u=l&&s==="in_doubt"&&!!i;return a`${u&&a`<p class="soft">Its undo is in doubt:</p>`}
    ${i&&a`<${Bn} action=${i} doubtful=${u} onDone=${n} />`}
    <${Pn} about=${o} label="What is owed" acts=${l?ol(o):[]} over="It is undone or kept by now." more=${d} onDone=${n} />`}function Qf({execution:{id:e,interrupted_by:t}}){let{shown:n}=ht(),{commandLine:o}=gt(),s=o(`get brief --execution-id ${e}`),r=o(`run --resume ${e}`),i=`Continue the execution ${e} of the Tallystick journal ${JSON.stringify(n)}. First read its brief: query_ledger with view=brief and execution_id=${e}, or the command ${s}. Look at the real system and settle what is in doubt; repeat nothing that is in doubt. Then go on with the next step, or ask me.`;return a`<div class="take-up">
    ${t===al&&a`<p class="act-title">Let a runner go on</p>
      <p class="soft">Add the <code>--tools</code>, <code>--mcp</code> and <code>--policy</code> of the first time. A run of <code>tallystick serve</code> goes on when that runs again.</p>
      <span class="command"><code>${r}</code><${be} text=${r} what="the command" /></span>`}
    <p class="act-title">${t===al?"Or paste":"Paste"} this into an agent</p>
    <div class="take-up-text"><p>${i}</p><${be} text=${i} what="the text for an agent" /></div>
  </div>`}function ll({execution:e,onDone:t}){let[n,o]=h(!1),s=sl(e),r=e.interrupted&&a`<${w} kind="primary" icon="follow" aria-expanded=${String(n)} onClick=${()=>o(!n)}>Take it up<//>`;return a`<${Pn} about=${e.id} label="Decide about this execution" acts=${s} over=${`The execution is ${e.status} by now.`} first=${r} onDone=${t} />
    ${n&&e.interrupted&&a`<${Qf} execution=${e} />`}`}function cl({execution:e,step:t,failed:n,onDone:o}){return a`<${Pn} about=${`${e} ${t}`} label="Failed step" acts=${n?[rl(e,t)]:[]} over="No retry can be permitted any more." onDone=${o} />`}function Zf({text:e,word:t,done:n}){return a`<${w} icon="copy" onClick=${async()=>{let s=await Jt(e);$e(s?n:"It cannot be copied.",s?"ok":"failed")}}>${t}<//>`}G();v();Ae();ee();U();z();G();v();ee();U();z();var e$=[["why","Why"],["question","Question"],["answer","Answer"],["reason","Reason"],["summary","Summary"],["error","Error"],["rejected","Why the others were not chosen"]];function dl({seq:e,onAction:t}){let{data:n,problem:o,reload:s}=P({by:[e],kinds:["body_erased"]},c=>T("/v1/entries",{after:e-1,limit:1},{signal:c}));if(o)return a`<${N} problem=${o} retry=${s} />`;if(!n)return a`<${H} />`;let r=n.entries[0];if(!r||r.seq!==e)return a`<p class="soft">There is no entry ${e}, or you may not see it.</p>`;let i=r.body||{},{facts:l}=r;return a`<div class="detail-body">
    <h2>${zn(r.kind)}</h2>
    <p class="detail-tags">${l.decision&&a`<strong>${l.decision}</strong>`}${l.status&&a`<${K} state=${l.status} />`}<${Qe} witness=${r.witness} /></p>
    <${Le}
      rows=${[["entry",a`<code>${r.seq}</code>`],["about",r.id&&(r.id.startsWith("ac_")?a`<button type="button" class="row-button mono" onClick=${()=>t(r.id)}>${r.id}</button>`:a`<${Ue} id=${r.id} />`)],["by",a`<${m} text=${r.actor||"–"} /> (${r.actor_kind||"agent"})`],["at",a`<${I} at=${r.at} />`],["clock",r.behind&&`${ue(r.behind*1e3)} behind the entry before`],["step",l.step&&a`<code><${m} text=${l.step} /></code>`],["approval",l.approval_id&&a`<a href=${x(`/approvals/${l.approval_id}`)}><code>${l.approval_id}</code></a>`],["trace",r.trace&&a`<code>${r.trace}</code>`],["key",r.key&&a`<code>${r.key}</code>`],["hash",a`<code class="hash">${r.hash}</code>`]]}
    />
    ${r.kind==="unreadable"&&a`<p class="warn">This entry cannot be read: <${m} text=${l.problem} />. ${l.needs?`Install ${l.needs==="newer"?"the newest version":`version ${l.needs}`}.`:a`Run <code>tallystick verify</code> to see whether it was changed.`}</p>`}
    ${r.erased&&a`<p class="soft">Its text was erased. The entry remains, and the chain still verifies.</p>`}
    ${r.altered&&a`<p class="warn">Its stored text is not the one that was recorded, and is not shown. Run <code>tallystick verify</code>.</p>`}
    ${e$.map(([c,d])=>typeof i[c]=="string"&&i[c]?a`<section class="part"><h3>${d}</h3><${Qt} text=${i[c]} /></section>`:null)}
    ${Array.isArray(i.alternatives)&&a`<section class="part"><h3>Alternatives</h3><ul>${i.alternatives.map(c=>a`<li><${m} text=${String(c)} /></li>`)}</ul></section>`}
    <section class="part"><h3>Raw</h3><${ie} value=${r} label="entry" /></section>
  </div>`}function ul({entries:e}){return a`<section class="part">
    <h3>Entries (${e.length})</h3>
    ${e.map(t=>a`<details class="entry-raw" key=${t.seq}>
        <summary><span class="num faint">${t.seq}</span> ${zn(t.kind)} <${Qe} witness=${t.witness} /> <span class="faint"><${m} text=${t.actor} /></span></summary>
        <${ie} value=${t} label=${`entry ${t.seq}`} />
        <p><a href=${x(location.pathname,{tab:"journal",entry:t.seq})}>Link to this entry</a></p>
      </details>`)}
  </section>`}var zn=e=>e.replaceAll("_"," ");function pl({execution:e,status:t,action:n,step:o,entry:s,steps:r,onClose:i,onAction:l}){let c=A(null);return fe("Detail",{Escape:{label:"close the detail",run:i}}),_(()=>{let d=document.activeElement;return()=>{(!document.activeElement||document.activeElement===document.body)&&d instanceof HTMLElement&&d.isConnected&&d.focus()}},[]),_(()=>{matchMedia("(max-width: 1000px)").matches&&c.current?.focus()},[n,o,s]),a`<aside class="detail" aria-label="Detail" ref=${c} tabindex="-1">
    <div class="detail-close"><${be} text=${location.href} what="link to this" /><${w} kind="ghost" icon="close" label="Close the detail" onClick=${i} /></div>
    ${n?a`<${t$} key=${n} id=${n} execution=${e} onAction=${l} />`:s?a`<${dl} key=${s} seq=${Number(s)} onAction=${l} />`:a`<${n$} key=${o} execution=${e} status=${t} step=${r.find(d=>d.id===o)} onAction=${l} />`}
  </aside>`}function t$({id:e,execution:t,onAction:n}){let{data:o,problem:s,reload:r}=P({by:[e],execution:t},f=>Promise.all([T(`/v1/actions/${encodeURIComponent(e)}`,{},{signal:f}),T("/v1/entries",{id:e,execution_id:t,limit:50},{signal:f})]));if(!o)return s?a`<${N} problem=${s} retry=${r} />`:a`<${H} />`;let[i,l]=o,{begin_body:c={},end_body:d={}}=i,u=f=>a`<button type="button" class="row-button mono" onClick=${()=>n(f)}>${f}</button>`,p=d.before??c.before,$=l.entries.find(f=>f.trace)?.trace;return a`<div class="detail-body">
    <${N} problem=${s} retry=${r} />
    <h2><${m} text=${c.summary||i.tool||i.id} /></h2>
    <p class="detail-tags"><${K} state=${i.state} /><${Qe} witness=${i.witness||"claimed"} />${i.kind==="undo"&&a`<${K} state="unwinding" word="undo" />`}</p>
    <${Le}
      rows=${[["action",a`<${Ue} id=${i.id} />`],["tool",i.tool&&a`<code><${m} text=${i.tool} /></code>`],["step",i.step&&a`<a href=${x(location.pathname+location.search,{step:i.step,action:""})}><code><${m} text=${i.step} /></code></a>`],["by",i.actor&&a`<${m} text=${i.actor} />`],["attempt",(i.attempt||1)>1?String(i.attempt):""],["begun",a`<${I} at=${i.begun} />`],["took",i.state==="skipped"?"":i.ended?a`<${$t} from=${i.begun} to=${i.ended} />`:i.state==="in_doubt"?"no end is recorded":a`<${$t} from=${i.begun} />`],["effect",i.effect],["undo",i.undo_state&&a`<${K} state=${i.undo_state} quiet />`],["temporary",i.temporary&&"yes"],["recorded",i.after_the_fact&&"after the fact"],["permission",i.permission],["repeats",i.repeats&&a`${u(i.repeats)}, which was in doubt`],["repeated by",i.repeated_by?.length?u(i.repeated_by.at(-1)):""],["undoes",i.undoes&&u(i.undoes)],["undone by",i.undone_by&&u(i.undone_by)],["trace",$&&a`<code>${$}</code>`]]}
    />
    <${Bn} action=${i.id} doubtful=${i.state==="in_doubt"} />
    <${he} title="Error">${d.error&&a`<${Qt} text=${d.error} />`}</${he}>
    <${he} title="Arguments">${"arguments"in c&&a`<${ie} value=${c.arguments} label="arguments" />`}</${he}>
    <${he} title="Result">${"result"in d&&a`<${ie} value=${d.result} label="result" />`}</${he}>
    <${he} title="Before and after">${p!==void 0&&d.after!==void 0&&a`<${qe} before=${p} after=${d.after} />`}</${he}>
    <${he} title="Before">${p!==void 0&&d.after===void 0&&a`<${ie} value=${p} label="before" />`}</${he}>
    <${he} title="After">${p===void 0&&d.after!==void 0&&a`<${ie} value=${d.after} label="after" />`}</${he}>
    <${he} title="Why it was repeated">${c.again&&a`<${m} text=${c.again} />`}</${he}>
    <${he} title="Evidence">${d.evidence&&a`<${m} text=${d.evidence} />`}</${he}>
    <${he} title="Outcome">${d.summary&&a`<${m} text=${d.summary} />`}</${he}>
    <${he} title="How to undo it">${c.undo&&a`<${ie} value=${c.undo} label="undo" />`}</${he}>
    <${ul} entries=${l.entries} />
  </div>`}function n$({execution:e,status:t,step:n,onAction:o}){let{data:s}=P({by:[e,n?.id],execution:e},i=>n?T(`/v1/executions/${encodeURIComponent(e)}/work`,{step:n.id,unfolded:!0},{signal:i}):Promise.resolve({rows:[]})),r=s?.rows||[];return n?a`<div class="detail-body">
    <h2><${m} text=${n.title||n.id} /></h2>
    <p class="detail-tags"><${K} state=${n.actual} /></p>
    <${Le}
      rows=${[["step",a`<code>${n.id}</code>`],["tool",n.tool&&a`<code><${m} text=${n.tool} /></code>`],["after",n.after?.length&&a`<code>${n.after.join(", ")}</code>`],["can be undone",n.cancellable],["estimate",Number(n.estimate)?`${Number(n.estimate)} s`:""],["decided",n.decided]]}
    />
    <${cl} execution=${e} step=${n.id} failed=${n.actual==="failed"&&qn(t)} />
    <${he} title=${`Attempts (${r.length})`}>
      ${r.length?a`<ul class="plain-list">${r.map(i=>a`<li key=${i.id}><${K} state=${i.state} /><button type="button" class="row-button" onClick=${()=>o(i.id)}>${i.action_kind==="undo"?"undo":`attempt ${i.attempts||1}`}</button><span class="faint">${i.actor}</span><${I} at=${i.begun} /></li>`)}</ul>`:a`<p class="soft">No attempt yet.</p>`}
    </${he}>
  </div>`:a`<p class="soft">The current plan has no such step.</p>`}function he({title:e,children:t}){return t?a`<section class="part"><h3>${e}</h3>${t}</section>`:null}G();v();se();ee();z();function fl({execution:e,onAction:t}){let{data:n,problem:o,reload:s}=P({by:[e]},i=>T("/v1/in-doubt",{execution_id:e,limit:100},{signal:i})),r=Dn(n?.in_doubt??[]);return n?r.length?a`<div class="doubt-tab">
    <${N} problem=${o} retry=${s} />
    <p class="lead"><${S} name="in_doubt" /><span><strong>Actions with an unknown outcome. Do not repeat them.</strong> Check the real system, then record the outcome and your evidence.</span></p>
    ${r.map(i=>a`<${o$} key=${i.action_id} item=${i} onAction=${t} />`)}
  </div>`:a`<${F} icon="completed" title="Nothing is in doubt.">Every action has a known outcome or is still in progress.</${F}>`:o?a`<${N} problem=${o} retry=${s} />`:a`<${H} />`}function o$({item:e,onAction:t}){return a`<${D} class="doubt-item" title=${a`<${m} text=${e.summary||e.tool||e.action_id} />`} actions=${a`<${K} state="in_doubt" />`}>
    <p class="soft">Since <${I} at=${e.since} />: ${e.why}. ${e.kind==="undo"?"It is an undo. ":""}${e.tool&&a`<code><${m} text=${e.tool} /></code> `}<button type="button" class="row-button mono" onClick=${()=>t(e.action_id)}>${e.action_id}</button></p>
    ${e.arguments&&a`<${ie} value=${e.arguments} label="arguments" />`}
    <h3>How to check</h3>
    ${typeof e.probe=="string"?a`<p><${m} text=${e.probe} /></p>`:e.probe?.tool||e.probe?.words?a`${e.probe.words&&a`<p><${m} text=${e.probe.words} /></p>`}${e.probe.tool&&a`<p><code><${m} text=${e.probe.tool} /></code></p><${ie} value=${e.probe.arguments||{}} label="arguments of the probe" />`}`:a`<p>No probe is recorded. Look for traces of <code><${m} text=${e.tool||"the action"} /></code> in the real system.</p>`}
    <h3>What came of it</h3>
    <${Bn} action=${e.action_id} doubtful=${!e.gone} />
  </${D}>`}G();v();se();z();Fn();var r$=[["html","HTML file","one file that opens without a server"],["jsonl","JSONL","one entry per line, for programs"],["csv","CSV","one entry per row, for a spreadsheet"],["markdown","Copy for a model","Markdown on the clipboard, values fenced as data"]];function $l({execution:e,end:t=!1}){let[n,o]=h(""),s=async r=>{o(r);try{let i=await T(`/v1/executions/${encodeURIComponent(e)}/report`,{form:r},{accept:"application/json"});r!=="markdown"?Ye(i.name,i.text,i.media_type):await Jt(i.text)?$e("Copied as Markdown.","ok"):Ye(i.name,i.text,i.media_type)}catch(i){$e(`The export failed: ${i.message}`,"failed")}o("")};return a`<${st} label="Export this execution" icon="export" word="Export" end=${t}>
    <div class="menu-list export-list">
      ${r$.map(([r,i,l])=>a`<button key=${r} type="button" class="menu-item export-item" data-close disabled=${!!n} onClick=${()=>s(r)}>
        <${S} name=${r==="markdown"?"copy":"export"} /><span><strong>${i}</strong><span class="soft">${l}</span></span>
      </button>`)}
    </div>
  <//>`}v();se();U();z();G();v();se();ee();U();z();function ml({row:e,query:t}){let n=t.get("only")||"",o=(e.total_steps||0)-(e.done_steps||0)-(e.skipped_steps||0),s=l=>x(`/x/${e.id}`,l),r=e.actions||{},i=[e.total_steps?["steps done",a`${e.done_steps||0}<small> of ${e.total_steps}</small>`,"ok",s({view:"plan"})]:["done",r.ok||0,"ok",s({only:"done"}),n==="done"],["failed",e.failed||0,"failed",s({only:"failed"}),n==="failed"],["in doubt",e.in_doubt||0,"doubt",s({tab:"doubt"})],["owed",e.owed||0,"undo",s({tab:"undo"})],["unplanned",e.unplanned||0,"idle",s({only:"unplanned"}),n==="unplanned"],["waiting",e.waiting||0,"waiting",x("/approvals",{execution:e.id})]];return e.total_steps&&i.splice(1,0,["steps left",o,"plain",s({view:"plan"})]),a`<ul class="tiles" aria-label="Figures">
    ${i.map(([l,c,d,u,p])=>a`<li key=${l}><a href=${u} aria-current=${p?"true":null} class=${te("tile",`tone-${d}`,typeof c=="number"&&c>0&&d!=="plain"&&"tile-set")}><strong>${c}</strong><span>${l}</span></a></li>`)}
  </ul>`}function hl({row:e}){let t=e.failed>0&&e.status!=="completed",{data:n}=P({by:[e.id,t],execution:e.id,kinds:["action_ended","decision_recorded"]},s=>t?T(`/v1/executions/${encodeURIComponent(e.id)}/work`,{only:"failed",newest_first:!0,limit:1},{signal:s}):Promise.resolve({rows:[]})),o=t&&n?.rows[0];return o?a`<div class="x-failure"><${S} name="failed" /><p><button type="button" class="row-button" onClick=${()=>Q({action:o.id,step:"",entry:""})}><${m} text=${o.summary||o.tool||o.id} /></button> failed${o.error?a`: <${m} text=${o.error.replace(/^failed: /,"")} />`:"."}</p></div>`:null}function gl({status:e,query:t,header_actions:n}){let o=e.execution;return a`<header class="x-head">
    <nav class="crumbs" aria-label="Breadcrumb"><a href=${x("/executions")}><${S} name="left" size=${12} />All executions</a></nav>
    <div class="x-title">
      <h1><${m} text=${o.title||o.id} /></h1>
      <${K} state=${At(o)} />
      <div class="x-actions">
        ${n&&a`<${n} status=${e} />`}
        <${Fe} href=${x(`/replay/${o.id}`)} icon="replay">Replay</${Fe}>
        <${Fe} href=${x("/compare",{a:o.id})} icon="compare">Compare</${Fe}>
        <${$l} execution=${o.id} end />
      </div>
    </div>
    <dl class="x-facts">
      <div><dt>execution</dt><dd><${Ue} id=${o.id} /></dd></div>
      ${o.plan_id&&a`<div><dt>plan</dt><dd><a href=${x(`/plans/${o.plan_id}`)}><code>${o.plan_id}</code></a> <span class="faint">revision ${o.revision}</span></dd></div>`}
      <div><dt>by</dt><dd><${m} text=${o.actor||"–"} />${o.client&&a` <span class="faint"><${m} text=${o.client} /></span>`}</dd></div>
      ${o.task_id&&a`<div><dt>task</dt><dd><a href=${x("/executions",{q:`task:${o.task_id}`})}><${m} text=${o.task_id} /></a></dd></div>`}
      <div class="x-more"><dt>started</dt><dd><${I} at=${o.started} /></dd></div>
      <div><dt>${o.ended||o.interrupted?"took":"for"}</dt><dd><${$t} from=${o.started} to=${o.ended||o.interrupted} /></dd></div>
      ${o.interrupted&&a`<div><dt>interrupted</dt><dd><${I} at=${o.interrupted} /> <span class="faint">while ${o.status}, last worked on by <${m} text=${o.interrupted_by||o.last_session} /></span></dd></div>`}
      ${!o.ended&&a`<div><dt>last entry</dt><dd><${I} at=${o.last} /></dd></div>`}
      <div class="x-more"><dt>record</dt><dd><${a$} coverage=${e.coverage} id=${o.id} /></dd></div>
      ${o.total_steps?a`<div><dt>steps</dt><dd><${It} row=${o} steps=${e.steps.filter(s=>!s.dropped).map(s=>s.actual)} /> <span class="num">${rt(o)}</span></dd></div>`:null}
    </dl>
    <${hl} row=${o} />
    <${i$} status=${e} />
    <${ll} execution=${o} />
    <${ml} row=${o} query=${t} />
  </header>`}function a$({coverage:e,id:t}){if(!e)return"–";let n=e.observers?.length,o=e.observers?.some(s=>s.silent);return a`<a href=${x(`/x/${t}`,{tab:"coverage"})}>${e.ended||0} of ${e.begun||0} actions finished.</a>
    <span class="faint"> ${o?"Hooks are silent.":n?"Observed.":"Not observed by hooks."}</span>`}function i$({status:e}){let t=e.last_decision,n=[...(e.advice||[]).map(o=>a`<span class="advice"><${S} name="warning" /><span><code><${m} text=${o.step} /></code> failed: <${m} text=${o.text} /></span></span>`),t?.decision&&a`<span class="advice"><${S} name="claimed" /><span>last decision <strong>${t.decision}</strong>${t.why&&a`: <${m} text=${t.why} />`}</span></span>`].filter(Boolean);return n.length?a`<div class="notices">${n}</div>`:null}v();U();He();We();v();se();z();var l$={failed:"undo failed",in_doubt:"undo in doubt"},Hn=e=>e.kind==="group"?e.tool||e.actor||e.summary||e.id:e.summary||e.tool||e.id,Dt=e=>e.kind==="step"?e.action_id||"":e.kind==="group"?"":e.id,br=e=>e.depth===0&&(e.kind==="group"||e.kind==="step"&&((e.attempts||0)>1||!!e.undone_by)),bl=({shown:e,count:t})=>t?`${e} of ${t} shown`:`the first ${e} shown`;function c$(e){let t=Object.entries(e.states||{}).filter(([o])=>o!=="ok"),n=e.attempts||0;return[e.kind==="group"&&`${e.count} calls`,e.shown&&bl(e),...t.map(([o,s])=>`${s} ${Ct(o).word}`),e.kind==="step"&&n>1&&`${n} attempts`,e.kind==="action"&&n>1&&`attempt ${n}`,e.unplanned&&"unplanned",e.dropped&&"dropped from the plan",e.late&&"recorded after the end",e.temporary&&"temporary",e.decided&&`decided: ${e.decided}`,e.kind==="step"&&e.cancellable==="irreversible"&&"irreversible",e.permission,e.silent,e.unserved].filter(Boolean)}function yr(e){let t=e.ended||e.lost;return["planned","skipped"].includes(e.state)?e.estimate?`about ${ue(e.estimate*1e3,1)}`:"":e.begun&&t?ue(Date.parse(t)-Date.parse(e.begun)):!e.begun&&e.estimate?`about ${ue(e.estimate*1e3,1)}`:e.begun&&["open","running"].includes(e.state)?"under way":""}function yl({row:e,index:t,height:n,place:o,on:s,focusable:r,unfolded:i,loading:l,row_actions:c,onSelect:d,onToggle:u}){if(e.kind==="rest")return a`<${d$} row=${e} index=${t} height=${n} focusable=${r} onSelect=${d} />`;let{tone:p,icon:$,word:f}=Ct(e.state),g=c$(e),b=e.kind==="group"&&!e.tool?"":e.actor;return a`<div class=${te("work-row",`tone-${p}`,s&&"work-on",e.depth>0&&"work-inside",e.unplanned&&"work-unplanned",!e.begun&&"work-ahead")} role="row" aria-rowindex=${t+2} style=${{height:`${n}px`}} data-row=${e.key}>
    <div role="cell" class="work-what">
      ${br(e)?a`<button type="button" class="work-fold" aria-expanded=${String(i)} aria-label=${`${i?"Fold":"Unfold"} ${_e(Hn(e))}`} tabindex=${r?0:-1} onClick=${()=>u(e)}><${S} name=${i?"down":"right"} size=${12} /></button>`:a`<span class="work-fold" />`}
      <span class="work-icon"><${S} name=${e.action_kind==="undo"&&e.state==="ok"?"unwinding":$} /></span>
      <div class="work-text">
        <p class="work-title"><button type="button" class="row-button cut" data-focus tabindex=${r?0:-1} aria-pressed=${String(s)} onClick=${()=>d(e)}>${e.action_kind==="undo"?"undo: ":""}<${m} text=${Hn(e)} /></button>${g.length>0&&a`<span class="work-notes">${g.join(" · ")}</span>`}</p>
        <p class="work-more cut">${e.error?a`<span class="work-error"><${m} text=${e.error} /></span>`:a`${e.tool&&e.tool!==Hn(e)&&a`<code><${m} text=${e.tool} /></code>`}${b&&a`<span><${m} text=${b} /></span>`}${l&&a`<span>loading…</span>`}`}</p>
      </div>
    </div>
    <div role="cell" class="work-state"><span>${f}</span>${e.undo_state&&!["not_undone",e.state].includes(e.undo_state)&&a`<${K} state=${e.undo_state} quiet word=${l$[e.undo_state]||""} />`}</div>
    <div role="cell" class="work-actions">${c&&a`<${c} row=${e} />`}</div>
    <div role="cell" class="work-took num">${yr(e)}</div>
    <div role="cell" class="work-chart">${o&&a`<${u$} row=${e} place=${o} />`}</div>
  </div>`}function d$({row:e,index:t,height:n,focusable:o,onSelect:s}){return a`<div class="work-row work-inside tone-plain" role="row" aria-rowindex=${t+2} style=${{height:`${n}px`}} data-row=${e.key}>
    <div role="cell" class="work-what"><span class="work-fold" /><span class="work-icon"><${S} name="down" /></span>
      <div class="work-text"><p class="work-title"><button type="button" class="row-button" data-focus tabindex=${o?0:-1} onClick=${()=>s(e)}>Show more</button><span class="work-notes">${bl(e)}</span></p></div></div>
    <div role="cell" class="work-state" /><div role="cell" class="work-actions" /><div role="cell" class="work-took" /><div role="cell" class="work-chart" />
  </div>`}function u$({row:e,place:t}){let n=te("work-bar",`bar-${e.state}`,e.action_kind==="undo"&&"bar-undo",e.kind==="group"&&"bar-group",t.open&&"bar-open");return a`<span class=${n} aria-hidden="true" style=${{left:`${t.left*100}%`,width:`${t.width*100}%`}} />`}var p$=["not_undone","partly","failed","may_be_undo"],Lo=(e,t)=>({row:n})=>n.kind==="group"?null:n.state==="in_doubt"?a`<${Ro} row=${n} word="Settle" to=${{action:Dt(n)}} />`:n.undo_state==="in_doubt"?a`<${Ro} row=${n} word="Settle the undo" to=${{tab:"doubt"}} />`:e&&p$.includes(n.undo_state||"")?a`<${Ro} row=${n} word="Undo or keep" to=${{tab:"undo"}} />`:t&&n.kind==="step"&&n.state==="failed"?a`<${Ro} row=${n} word="Retry" to=${{step:n.id}} />`:null,f$=[Lo(!1,!1),Lo(!1,!0),Lo(!0,!1),Lo(!0,!0)],xl=({status:e,owed:t})=>f$[(t?2:0)+Number(qn(e))];function Ro({row:e,word:t,to:n}){let o=()=>Q({action:"",step:"",entry:"",...n});return a`<${w} aria-label=${`${t}: ${_e(Hn(e))}`} onClick=${o}>${t}<//>`}G();v();ee();z();v();se();z();var $$={known:"",unknown:"No undo is recorded. Check what it did, and decide.",erased:"The text of the undo was erased.",altered:"The stored text of the undo was altered and is not shown.",irreversible:"It is recorded as irreversible."};function _l({items:e,lead:t,more:n=!1,rest:o,empty:s,onAction:r,actsOf:i}){return a`<div class="owed-tab">
    <p class="lead"><${S} name="owed" /><span><strong>${t}</strong>${e.length>0&&a` Undo from top to bottom. This page undoes nothing: you, an agent or a runner undoes an action, and records that with <code>kind=undo</code>.`}</span></p>
    ${e.length?a`<ol class="owed-list">${e.map(l=>a`<${m$} key=${l.action_id} item=${l} onAction=${r} acts=${i?.(l)} />`)}</ol>
          ${n&&a`<p class="soft">These are the first ${e.length}. The rest: <code>${o}</code></p>`}`:a`<${F} icon="completed" title=${s}>Every action is undone or kept.</${F}>`}
  </div>`}function m$({item:e,onAction:t,acts:n}){let o=$$[e.way]??e.way;return a`<li class="owed-item">
    <div class="owed-what">
      <p><button type="button" class="row-button" onClick=${()=>t(e.action_id)}><${m} text=${e.summary||e.tool||e.action_id} /></button>
        <span class="faint"> ${e.tool&&a`<code><${m} text=${e.tool} /></code> `}${e.step&&a`step <code><${m} text=${e.step} /></code>`}</span></p>
      <p class="detail-tags"><${K} state=${e.state} word=${e.state==="failed"?"undo failed":""} />${e.temporary&&a`<span class="maybe"><${S} name="late" size=${14} />temporary</span>`}${e.certain===!1&&a`<span class="maybe"><${S} name="in_doubt" size=${14} />may have happened</span>`}<${h$} at=${e.deadline} /></p>
    </div>
    <div class="owed-way">
      ${e.undo?a`${e.undo.words&&a`<p><${m} text=${e.undo.words} /></p>`}
            ${e.undo.tool&&a`<p><code><${m} text=${e.undo.tool} /></code></p><${ie} value=${e.undo.arguments||{}} label="arguments of the undo" />`}
            ${e.undo.missing?.length>0&&a`<p class="warn">Not recorded: <${m} text=${e.undo.missing.join(", ")} /></p>`}`:a`<p class="soft">${o}</p>`}
      ${e.error&&a`<p class="warn">The undo failed: <${m} text=${e.error} /></p>`}
      ${e.why&&a`<p class="soft"><${m} text=${e.why} /></p>`}
      ${e.undone_by&&a`<p class="soft">by <button type="button" class="row-button mono" onClick=${()=>t(e.undone_by)}>${e.undone_by}</button></p>`}
    </div>
    ${n&&a`<div class="owed-acts">${n}</div>`}
  </li>`}function h$({at:e}){let t=Date.parse(e)-we();return e?t<0?a`<span class="warn">undo was possible until <${I} at=${e} /></span>`:a`<span class="faint" title=${e}>can be undone for ${ue(t)} more</span>`:null}var g$=100,wl=e=>Date.parse(e.deadline)>Date.now();function b$(e){if(e.owed==="nothing")return`Nothing of this is owed.${e.items.some(wl)?" Some of it can be undone only for a while: undo or keep it in time.":""}`;let t=`${e.more_due?"More than ":""}${e.due} of this ${e.due===1?"is":"are"}`;return`${e.owed==="all"?"All of this is":t} owed: somebody still has to undo it.`}function vl({execution:e,onAction:t}){let{data:n,problem:o,reload:s}=P({by:[e],execution:e},i=>T(`/v1/executions/${encodeURIComponent(e)}/undo-list`,{limit:g$},{signal:i})),r=Dn(n?.items??[]);return n?a`<${N} problem=${o} retry=${s} />
    <${_l} items=${r} lead=${b$(n)} more=${!!n.next_cursor} rest=${`tallystick undo-list ${e}`} empty="The undo list is empty." onAction=${t}
    actsOf=${i=>a`<${il} item=${i} offered=${n.owed!=="nothing"||wl(i)} onDone=${s} />`} />`:o?a`<${N} problem=${o} retry=${s} />`:a`<${H} />`}G();v();Ae();ee();U();z();v();xr();z();v();var y$=5,El=.01;function Tl(e){let[t,n]=h(null),o={from:-El*e,to:(1+El)*e},s=t||o,r=ye(c=>{let d=Math.max(y$,c.to-c.from);if(d>=o.to-o.from)return n(null);let u=Math.min(Math.max(c.from,o.from),o.to-d);return n({from:u,to:u+d})},[e]);return{view:s,zoomed:t!==null,zoom:(c,d=.5)=>{let u=(s.to-s.from)*c,p=s.from+d*(s.to-s.from);r({from:p-d*u,to:p+(1-d)*u})},pan:c=>{let d=c*(s.to-s.from);r({from:s.from+d,to:s.to+d})},show:r,fit:()=>n(null)}}function Un(){let e=A(null),[t,n]=h(0);return ke(()=>{let o=e.current,s=()=>n(Math.floor(o.getBoundingClientRect().width)),r=new ResizeObserver(s);return r.observe(o),s(),()=>r.disconnect()},[]),[e,t]}function Ml(e,t){let n=A(t);n.current=t,_(()=>{let o=e.current,s=new Map,r=u=>{let{left:p,width:$}=o.getBoundingClientRect();return(u-p)/$},i=u=>{let p=Math.abs(u.deltaX)>Math.abs(u.deltaY)?u.deltaX:u.shiftKey?u.deltaY:0;if(u.ctrlKey||u.metaKey)n.current.zoom(Math.exp(u.deltaY/300),r(u.clientX));else if(p)n.current.pan(p/800);else return;u.preventDefault()},l=u=>{u.button===0&&s.set(u.pointerId,u.clientX)},c=u=>{let p=s.get(u.pointerId);if(p===void 0)return;let $=[...s].filter(([f])=>f!==u.pointerId).map(([,f])=>f);if($.length){let f=Math.abs(p-$[0])/Math.max(8,Math.abs(u.clientX-$[0]));n.current.zoom(Math.min(2,Math.max(.5,f)),r((u.clientX+$[0])/2))}else if(Math.abs(u.clientX-p)>2)o.setPointerCapture(u.pointerId),n.current.pan((p-u.clientX)/o.getBoundingClientRect().width);else return;s.set(u.pointerId,u.clientX)},d=u=>{s.delete(u.pointerId)};o.addEventListener("wheel",i,{passive:!1}),o.addEventListener("pointerdown",l),o.addEventListener("pointermove",c);for(let u of["pointerup","pointercancel"])o.addEventListener(u,d);return()=>{o.removeEventListener("wheel",i),o.removeEventListener("pointerdown",l),o.removeEventListener("pointermove",c);for(let u of["pointerup","pointercancel"])o.removeEventListener(u,d)}},[])}var bt=216,Pt=46,Cl=27,Al=400,Il=.7;function Nl({work:e,selected:t,onStep:n}){let[o,s]=Un(),[r,i]=h(0),l=e.rows.filter(M=>M.kind==="step"&&M.depth===0),c=e.complete||e.rows.length>l.length,d=l.length>Al;_(()=>{!c&&!d&&!e.problem&&e.more()});let u=d||!c?"":l.map(M=>`${M.id} ${(M.after||[]).join()}`).join("|"),p=Do(kl),$=le(()=>p&&u&&s?_$(p,l,s):null,[p,u,s]),f=$?Math.min(1,Math.max(Il,s/$.width)):1,g=r||f,b=le(()=>w$(l),[u,e.rows]),C=new Map(l.map(M=>[M.id,M]));return a`<div class="graph-view" ref=${o}>
    ${d?a`<${F} icon="graph" title=${`The plan has more than ${Al} steps.`}>They are listed under Plan.</${F}>`:$?a`
    <div class="graph-tools"><span class="soft">${b.size>1?a`<span class="critical-key" aria-hidden="true" /> critical path`:null}</span>
      <span class="work-zoom"><${w} kind="ghost" icon="zoomout" label="Zoom out" onClick=${()=>i(Math.max(.25,g/1.3))} /><${w} kind="ghost" icon="zoomin" label="Zoom in" onClick=${()=>i(Math.min(2.5,g*1.3))} /><${w} kind="ghost" icon="fit" label="Fit" onClick=${()=>i(0)} disabled=${!r} /></span></div>
    <div class="graph" tabindex="0" role="region" aria-label="Graph of the plan">
      <svg width=${Math.ceil($.width*g)} height=${Math.ceil($.height*g)} viewBox=${`0 0 ${$.width} ${$.height}`} role="group" aria-label="Steps and what each comes after">
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerUnits="userSpaceOnUse" markerWidth="9" markerHeight="9" orient="auto"><path class="edge-tip" d="M0 0L8 4 0 8z" /></marker>
        </defs>
        ${$.edges.map(M=>a`<path class=${te("edge",b.has(M.from)&&b.get(M.from)===M.to&&"edge-critical")} d=${M.path} marker-end="url(#arrow)" />`)}
        ${$.nodes.map(({id:M,x:y,y:k})=>C.has(M)&&a`<${x$} key=${M} step=${C.get(M)} x=${y} y=${k} on=${t===M} critical=${b.has(M)} onStep=${n} />`)}
      </svg>
    </div>`:!c||u?a`<${H} what="Loading the steps" />`:a`<${F} icon="graph" title="Ad hoc: there is no plan to draw." />`}
  </div>`}function x$({step:e,x:t,y:n,on:o,critical:s,onStep:r}){let{tone:i,word:l}=Ct(e.state),c=_e(e.summary||e.id),d=c.length>Cl?`${c.slice(0,Cl-1).trimEnd()}…`:c,u=e.attempts||0,p=[l,yr(e),u>1&&`${u} attempts`,e.cancellable==="irreversible"&&"irreversible"].filter(Boolean).join(", "),$=()=>r(e.id);return a`<g class=${te("node",`tone-${i}`,e.state==="in_doubt"&&"node-doubt",e.state==="planned"&&"node-planned",o&&"node-on",s&&"node-critical")} role="button" tabindex="0" aria-label=${`${d} ${p}${s?", on the critical path":""}`} aria-pressed=${String(o)} onClick=${$} onKeyDown=${f=>(f.key==="Enter"||f.key===" ")&&(f.preventDefault(),$())}>
    <title>${c}</title>
    <rect x=${t-bt/2} y=${n-Pt/2} width=${bt} height=${Pt} rx="3" />
    <rect class="node-edge" x=${t-bt/2} y=${n-Pt/2} width="4" height=${Pt} rx="1" />
    <text class="node-title" x=${t-bt/2+14} y=${n-3}>${d}${" "}</text>
    <text class="node-state" x=${t-bt/2+14} y=${n+13}>${p}</text>
  </g>`}function _$(e,t,n){let o=Ol(e,t,!0);return n/o.width>=Il?o:Ol(e,t,!1)}function Ol({Graph:e,layout:t},n,o){let s=new e;s.setGraph({rankdir:o?"LR":"TB",nodesep:18,ranksep:o?44:28,marginx:16,marginy:16}),s.setDefaultEdgeLabel(()=>({}));for(let l of n)s.setNode(l.id,{width:bt,height:Pt});for(let[l,c]of Ll(n))s.hasNode(l)&&s.setEdge(l,c);t(s);let{width:r=0,height:i=0}=s.graph();return{width:Math.ceil(r),height:Math.ceil(i),nodes:s.nodes().map(l=>({id:l,...s.node(l)})),edges:s.edges().map(l=>({from:l.v,to:l.w,path:k$(s.node(l.v),s.node(l.w),s.edge(l).points.slice(1,-1),o)}))}}function Ll(e){return e.some(t=>t.after?.length)?e.flatMap(t=>(t.after||[]).map(n=>[n,t.id])):e.slice(1).map((t,n)=>[e[n].id,t.id])}function w$(e){let t=new Map;for(let[d,u]of Ll(e))t.set(u,[...t.get(u)||[],d]);let n=new Map(e.map(d=>[d.id,d])),o=new Map,s=new Set,r=d=>{if(o.has(d)||s.has(d))return;s.add(d);let u=(t.get(d)||[]).filter($=>n.has($));u.forEach(r);let p=u.reduce(($,f)=>(o.get(f)?.length??0)>(o.get($)?.length??-1)?f:$,"");o.set(d,{length:v$(n.get(d))+(o.get(p)?.length??0),from:p})};e.forEach(d=>r(d.id));let[i,l]=[...o].reduce((d,u)=>u[1].length>d[1].length?u:d,["",{length:0,from:""}]),c=new Map;for(let d=i,u="",p=l.from;d;[u,d,p]=[d,p,o.get(p)?.from??""])c.set(d,u);return c}function v$(e){return e.begun&&e.ended?Math.max(0,Date.parse(e.ended)-Date.parse(e.begun))/1e3:Number(e.estimate)||0}function k$(e,t,n,o){let[s,r]=o?[bt/2,0]:[0,Pt/2],i={x:e.x+s,y:e.y+r},l={x:t.x-s,y:t.y-r},c=o?l.x-i.x>bt:l.y-i.y>Pt,d=[i,...c?n:[],l];return d.slice(1).reduce((u,p,$)=>{let f=d[$],[g,b]=o?[(p.x-f.x)/2,0]:[0,(p.y-f.y)/2];return`${u}C${f.x+g} ${f.y+b} ${p.x-g} ${p.y-b} ${p.x} ${p.y}`},`M${i.x} ${i.y}`)}v();var S$=200,Rl=1e3,Dl=500;function Pl({order:e,only:t}){return t?{only:t}:e==="newest"?{newest_first:!0}:{order:e}}function Bl({read:e,wanted:t,by:n,version:o}){let[,s]=Ht(y=>y+1,0),r=A(jl()).current,i=A({read:e,wanted:t});i.current={read:e,wanted:t};let l=async y=>{let{turn:k}=r;try{await y(k),k===r.turn&&(r.problem=null)}catch(O){k===r.turn&&(r.problem=O)}k===r.turn&&s(0)},c=async(y,k)=>{let O=k?r.pages[k-1].next:"",V=k?Rl:S$,j=await i.current.read({...Pl(i.current.wanted),limit:V,cursor:O});if(y!==r.turn)return;let R=r.pages[k];r.pages[k]={cursor:O,next:j.next_cursor||"",rows:j.rows,stale:!1},R&&R.next!==r.pages[k].next&&(r.pages.length=k+1),r.version+=1,r.complete=!r.pages[r.pages.length-1].next},d=async(y,k,O=!1)=>{let V=r.open.get(k.key),{rows:j,next:R}=O&&V?V:{rows:[],next:k.inside||""},B=O?j.length+Dl:Math.max(Dl,V?.rows.length||0),L=k.kind==="group"?Math.min(k.count||1,B):B,W=k.kind==="group"?Pl(i.current.wanted):{step:k.id};do{let J=await i.current.read({...W,cursor:R,limit:Math.min(L-j.length,Rl),unfolded:!0});j=[...j,...J.rows],R=J.next_cursor||""}while(R&&j.length<L);y===r.turn&&r.open.has(k.key)&&r.open.set(k.key,{rows:j,next:R}),r.version+=1},u=ye(()=>{r.loading||r.complete||!r.pages.length||(r.loading=!0,l(y=>c(y,r.pages.length)).finally(()=>{r.loading=!1,s(0)}))},[]),p=ye(()=>{if(r.loading)return void(r.due=!0);r.loading=!0;let[y,k]=r.view;l(async O=>{let V=r.pages.map((j,R)=>R).filter(j=>j===0||j>=y&&j<=k||j===r.pages.length-1);for(let j of r.pages)j.stale=!0;for(let j of V)(r.pages[j]||!j)&&await c(O,j);r.pages.length||await c(O,0);for(let j of ql(r).rows.filter(({depth:R,key:B})=>!R&&r.open.has(B)))await d(O,j)}).finally(()=>{r.loading=!1,r.due&&(r.due=!1,p()),s(0)})},[]),$=ye((y,k)=>{r.view=[y,k],!r.loading&&r.pages.slice(y,k+1).some(O=>O.stale)&&p()},[]),f=ye(y=>{r.open.delete(y.key)||(r.open.set(y.key,null),l(k=>d(k,y))),r.version+=1,s(0)},[]),g=ye(y=>{l(k=>d(k,y,!0))},[]);_(()=>(Object.assign(r,jl()),s(0),p(),()=>{r.turn={}}),[n,t.order,t.only]);let b=A(o);_(()=>{b.current!==o&&(b.current=o,p())},[o]);let{rows:C,pageOf:M}=le(()=>ql(r),[r.version,r.turn]);return{rows:C,pageOf:M,complete:r.complete,started:r.pages.length>0,problem:r.problem,open:r.open,more:u,see:$,toggle:f,further:g,retry:p}}var jl=()=>({turn:{},pages:[],open:new Map,view:[0,0],loading:!1,due:!1,complete:!1,version:0,problem:null});function ql({pages:e,open:t}){let n=[];e.forEach((r,i)=>{for(let l of r.rows){let c={...l,key:`${l.kind} ${l.id}`,depth:0},d=n.at(-1);d&&T$(d.row,c)?d.row=M$(d.row,c):n.push({row:c,page:i})}});let o=[],s=[];for(let{row:r,page:i}of n)for(let l of E$(r,t.get(r.key)))o.push(l),s.push(i);return{rows:o,pageOf:s}}function E$(e,t){if(!t)return[e];let n=t.rows.length,o=e.kind==="group"?(e.count||0)>n:!!t.next,s=t.rows.map(r=>({...r,key:`${e.key} ${r.id}`,depth:1}));return o?[{...e,shown:n},...s,{kind:"rest",id:"",state:"",key:`${e.key} rest`,depth:1,count:e.count,shown:n,of:e}]:[e,...s]}function T$(e,t){return e.kind==="group"&&t.kind==="group"&&e.tool===t.tool&&e.step===t.step&&e.actor===t.actor&&!!(e.tool||e.actor_kind==="sub-agent")}function M$(e,t){let n={...e.states};for(let[s,r]of Object.entries(t.states||{}))n[s]=(n[s]||0)+r;let o=n.failed?"failed":e.state;return{...e,state:o,states:n,count:(e.count||0)+(t.count||0),ended:t.ended||e.ended,error:e.error||t.error}}v();Ve();z();var _r=[1,2,5,10,20,50,100,200,500,1e3,2e3,5e3,1e4,15e3,3e4,6e4,12e4,3e5,6e5,9e5,18e5,36e5,72e5,144e5,216e5,432e5,864e5,1728e5,6048e5];function zl(e){let t=C$(e);if(!t.length)return[{from:0,to:1e3,at:0,size:1e3,gap:!1}];let n=t.reduce((d,u)=>d+u.to-u.from,0),o=Math.max(3e4,.06*n),s=Math.max(.03*n,2e3),r=[],i=0,l=(d,u,p)=>{let $=p?s:u-d;r.push({from:d,to:u,at:i,size:$,gap:p}),i+=$},c=t[0].from;return t.forEach((d,u)=>{let p=t[u+1];p&&p.from-d.to<=o||(l(c,Math.max(d.to,c+1),!1),p&&(l(d.to,p.from,!0),c=p.from))}),r}function C$(e){let t=[...e].sort((o,s)=>o.from-s.from),n=[];for(let o of t){let s=n[n.length-1];s&&o.from<=s.to?s.to=Math.max(s.to,o.to):n.push({...o})}return n}function Po(e,t){let n=0,o=e.length-1;for(;n<o;){let i=n+o+1>>1;e[i].from<=t?n=i:o=i-1}let s=e[n],r=(t-s.from)/Math.max(1,s.to-s.from);return s.at+Math.max(0,Math.min(1,r))*s.size}var Fl=e=>e[e.length-1].at+e[e.length-1].size;function Hl(e,t,n,o,s){let r=1/Math.max(1e-9,t(1)-t(0)),i=_r.find(c=>c>=o*r)||_r[_r.length-1],l=[];for(let c of e){if(c.gap||c.at>n.to||c.at+c.size<n.from)continue;let d=Math.max(c.from,c.from+(n.from-c.at)),u=Math.min(c.to,c.from+(n.to-c.at));for(let p=Math.ceil((d+s)/i)*i-s;p<=u;p+=i)l.push({time:p,x:t(c.at+p-c.from)})}return{step:i,marks:l}}var Wl=44,A$=60,O$=620,Ul=5e3,I$=2e4,N$=20,L$=84;function Kl({work:e,execution:t,selected:n="",row_actions:o,onSelect:s,empty:r}){let{rows:i,complete:l,open:c}=e,[d,u]=Un(),p=u>0&&u<O$,$=(p?A$:Wl)+(me("density")==="comfortable"?8:0),{scale:f,edge:g}=R$(i,t,l),b=Tl(Fl(f)),{view:C}=b,[M,y]=h(0),k=A([0,0]),O=A(null),V=q=>(Po(f,q)-C.from)/(C.to-C.from),j=q=>D$(q,V,g),R=ye((q,xe)=>{k.current=[q,xe],e.see(e.pageOf[q]??0,e.pageOf[Math.min(xe,e.pageOf.length)-1]??0)},[e.pageOf]);_(()=>{e.started&&!e.problem&&k.current[1]>=i.length-N$&&e.more()});let B=()=>{let q=i.slice(...k.current).filter(ve=>ve.begun);if(!q.length)return;let xe=Math.min(...q.map(ve=>Po(f,Date.parse(ve.begun)))),Xe=Math.max(...q.map(ve=>Po(f,wr(ve,g))));b.show({from:xe-(Xe-xe)*.02,to:Xe+(Xe-xe)*.02})},L=q$(d,i,y,e.toggle,{zoom:b,fitRows:B}),W=q=>q.of?e.further(q.of):q.kind==="group"?e.toggle(q):s(q),J=Math.min(M,i.length-1),oe=i.findIndex(q=>n&&(Dt(q)===n||q.kind==="step"&&q.id===n));return _(()=>{oe>=0&&y(oe)},[oe]),a`<div class=${te("waterfall",p&&"waterfall-narrow",o&&"waterfall-acting")} ref=${d} data-testid="waterfall" onKeyDown=${L}>
    <${N} problem=${e.problem} retry=${e.retry} />
    ${e.started?!i.length&&l?r||a`<${F} icon="timeline" title="No actions yet.">Actions appear here as soon as they begin.</${F}>`:a`
      <${Lt}
        label="Steps and actions"
        outer="table"
        role="rowgroup"
        rows=${i}
        height=${$}
        selected=${oe}
        onRange=${R}
        head=${a`<div class="work-head" role="rowgroup"><div class="work-row work-head-row" role="row">
          <span role="columnheader" class="work-what">what</span><span role="columnheader" class="work-state">state</span><span role="columnheader" class="work-actions"><span class="visually-hidden">what to do</span></span><span role="columnheader" class="work-took">took</span>
          <div role="columnheader" class="work-chart" ref=${O}><span class="visually-hidden">when</span><${P$} scale=${f} view=${C} share=${V} zoom=${b} /></div>
        </div></div>`}
        row=${(q,xe)=>a`<${yl} key=${q.key} row=${q} index=${xe} height=${$} place=${j(q)} on=${xe===oe} focusable=${xe===J} unfolded=${c.has(q.key)} loading=${c.get(q.key)===null} row_actions=${o} onSelect=${W} onToggle=${e.toggle} />`}
      />
      <div class="work-foot">
        <span class="soft" role="status">${i.length}${l?"":"+"} row${i.length===1?"":"s"}</span>
        <span class="work-zoom">
          <${w} kind="ghost" icon="table" label="Zoom to the rows in view" onClick=${B} />
          <${w} kind="ghost" icon="zoomout" label="Zoom out" onClick=${()=>b.zoom(1.6)} disabled=${!b.zoomed} />
          <${w} kind="ghost" icon="zoomin" label="Zoom in" onClick=${()=>b.zoom(.6)} />
          <${w} kind="ghost" icon="fit" label="Show all" onClick=${b.fit} disabled=${!b.zoomed} />
        </span>
      </div>`:a`<${H} what="Loading" />`}
  </div>`}function R$(e,t,n){let o=we(),s=Date.parse(t.interrupted||t.last||t.started)||o,i=!t.ended&&!t.interrupted?Math.min(Math.max(s,Math.ceil(o/Ul)*Ul),s+I$):s;return{scale:le(()=>{let c=e.filter(p=>p.begun).map(p=>({from:Date.parse(p.begun),to:wr(p,i)})),d=Math.max(i,...c.map(p=>p.to).slice(-1)),u=n||!c.length?d:c[c.length-1].to;return zl([...c,{from:Math.min(u,d),to:d}])},[e,i,n]),edge:i}}function wr(e,t){let n=Date.parse(e.begun),o=e.ended||e.lost;return Math.max(n,o?Date.parse(o):t)}function D$(e,t,n){if(!e.begun)return null;let o=t(Date.parse(e.begun)),s=t(wr(e,n));if(s<0||o>1)return null;let r=Math.max(0,Math.min(o,1));return{left:r,width:Math.max(0,Math.min(s,1)-r),open:!e.ended&&!e.lost}}function P$({scale:e,view:t,share:n,zoom:o}){let[s,r]=Un();Ml(s,o);let l=me("zone")==="utc"?0:-new Date().getTimezoneOffset()*6e4,c=p=>(p-t.from)/(t.to-t.from)*r,{step:d,marks:u}=r?Hl(e,c,t,L$,l):{step:0,marks:[]};return a`<div class="work-axis" ref=${s} aria-hidden="true" title="Drag to move, Ctrl and wheel to zoom">
    ${e.filter(p=>p.gap&&p.at+p.size>t.from&&p.at<t.to).map(p=>{let $=ue(p.to-p.from,1);return a`<span class="work-gap" title=${`${$} without entries`} style=${{left:`${c(p.at)}px`,width:`${c(p.at+p.size)-c(p.at)}px`}}><span>${$}</span></span>`})}
    ${u.map(({time:p,x:$})=>a`<span class="work-tick" style=${{left:`${Math.round($)}px`}}>${j$(p,d)}</span>`)}
  </div>`}function j$(e,t){let n={hour:"2-digit",minute:"2-digit"};return t<6e4&&(n.second="2-digit"),t<1e3&&(n.fractionalSecondDigits=3),t>=432e5&&Object.assign(n,{day:"numeric",month:"short"}),new Date(e).toLocaleTimeString("en-GB",{...n,timeZone:To("zone")==="utc"?"UTC":void 0})}function q$(e,t,n,o,{zoom:s,fitRows:r}){let i=A("");return ke(()=>{if(!i.current)return;let l=e.current?.querySelector(`[data-row="${CSS.escape(i.current)}"] [data-focus]`);l&&(i.current="",l.focus({preventScroll:!0}),l.scrollIntoView({block:"nearest"}))}),l=>{let c=l.target;if(!c.matches("[data-focus], .work-fold, .virtual"))return;let d=t.findIndex(C=>C.key===c.closest("[data-row]")?.getAttribute("data-row")),u=C=>{let M=Math.min(Math.max(C,0),t.length-1),y=e.current.querySelector(".virtual"),k=y.querySelector("[data-row]")?.offsetHeight||Wl,O=y.clientHeight-k;M*k<y.scrollTop?y.scrollTop=M*k:M*k>y.scrollTop+O-k&&(y.scrollTop=M*k-O+k),i.current=t[M]?.key||"",n(M)},p=t[d],$=p&&br(p),f=c.closest("[data-row]")?.querySelector("[aria-expanded]")?.getAttribute("aria-expanded")==="true",b={ArrowDown:()=>u(d+1),ArrowUp:()=>u(d-1),Home:()=>u(0),End:()=>u(t.length-1),"+":()=>s.zoom(.6),"-":()=>s.zoom(1.6),0:s.fit,z:r,...$&&!f&&{ArrowRight:()=>o(p)},...$&&f&&{ArrowLeft:()=>o(p)}}[l.key];!b||l.ctrlKey||l.metaKey||l.altKey||(b(),l.preventDefault(),l.stopPropagation())}}var B$=80,z$=["session_ended","body_erased"],F$={done:"done",failed:"failed",in_doubt:"in doubt",unplanned:"unplanned",open:"under way"};function Vl({status:e,query:t,chosen:n,select:o,row_actions:s}){let{execution:r}=e,i=!!r.plan_id,l=t.get("view")||(i?"plan":"time"),c=t.get("only")||"",d=ye(b=>T(`/v1/executions/${encodeURIComponent(r.id)}/work`,b),[r.id]),p=Bl({read:d,wanted:{order:l==="graph"?"plan":l,only:c},by:r.id,version:H$(r.id)}),$=async()=>{let{rows:b}=await d({only:"failed",limit:1});b.length&&o({action:b[0].id})};fe("Work",{e:{label:"go to the first failure",run:()=>{$()}}});let f=[["plan","Plan"],["time","Time"],["newest","Newest first"],["graph","Graph"]],g=F$[c];return a`<section class="panel panel-flush work-panel" aria-label="Work">
    <div class="work-tools">
      <${ae} label="View" value=${c?"":l} choices=${i?f:f.slice(1,3)} onChange=${b=>Q({view:b,only:""})} />
      ${r.failed>0&&a`<${w} icon="first" onClick=${$}>First failure</${w}>`}
      ${g&&a`<${w} icon="close" onClick=${()=>Q({only:""})}>Only ${g}</${w}>`}
    </div>
    ${l==="graph"&&!c?a`<${Nl} work=${p} selected=${n.step} onStep=${b=>o({step:b})} />`:a`<${Kl}
          work=${p}
          execution=${r}
          selected=${n.action||n.step}
          row_actions=${s}
          onSelect=${b=>o(Dt(b)?{action:Dt(b)}:{step:b.id})}
          empty=${g&&a`<${F} title=${`No actions are ${g}.`} />`}
        />`}
  </section>`}function H$(e){let[t,n]=h(0),o=A(0);return Ie(s=>{s&&s.execution_id!==e&&!z$.includes(s.kind)||(o.current||=setTimeout(()=>(o.current=0,n(r=>r+1)),B$))}),t}v();vr();v();se();Ae();Ve();z();G();v();ee();var Xl=100,Ql=1e3,Zl=6e4,G$=240,J$=40,Y$=300;function ec(e){let[t,n]=h({entries:[],complete:!1,problem:null}),[o,s]=h(0),r=A({entries:[],last:0,busy:!1,due:!1,stop:!1,timer:0}),i=async l=>{let c=r.current;if(c.busy){c.due=!0;return}c.busy=!0;let d=performance.now(),u=p=>{d=performance.now(),n({entries:c.entries,complete:p,problem:null})};try{let p=!0;do{c.due=!1;let $=await T("/v1/entries",{execution_id:e,after:c.last,limit:c.last?Ql:Xl});if(c.stop)return;$.entries.length&&(c.entries=c.entries.concat($.entries.map(X$))),c.last=$.entries.length?$.entries[$.entries.length-1].seq:c.last,!$.entries.length&&$.more&&(c.last=$.last_seq),p=$.more,(c.entries.length<=Xl||performance.now()-d>Y$)&&u(!p)}while(p&&c.entries.length<l||c.due);u(!p)}catch(p){c.stop||n($=>({...$,problem:p}))}finally{c.busy=!1}};return _(()=>{r.current={entries:[],last:0,busy:!1,due:!1,stop:!1,timer:0};let l=r.current;return i(Zl),()=>{l.stop=!0,clearTimeout(l.timer)}},[e,o]),Ie(l=>{if(l?.kind==="body_erased"&&s(d=>d+1),l&&l.execution_id!==e)return;let c=r.current;clearTimeout(c.timer),c.timer=setTimeout(()=>i(Zl),J$)}),{...t,more:()=>{!t.complete&&i(r.current.entries.length+Ql)}}}function X$(e){let{facts:t={},body:n}=e,o=n&&typeof n=="object"?n:{},s=t.channel==="client"?"in a client that could have answered by itself ":"",r=o.error||o.summary||o.title||o.why||o.question||o.reason||o.answer||t.key||t.event||t.reason||t.problem||"";return{seq:e.seq,kind:e.kind,at:e.at,id:e.id,actor:t.credential||e.actor,witness:e.witness,word:t.decision||t.verdict||t.status||t.event||"",tool:t.tool||"",text:`${s}${r}`.slice(0,G$),outcome:t.outcome||(e.kind==="action_doubted"?"in_doubt":""),undo:t.action_kind==="undo",behind:e.behind||0}}var Q$={ok:"ok",failed:"failed",skipped:"skipped",unknown:"in_doubt",in_doubt:"in_doubt"},Z$=new Set(["failed","in_doubt"]),jo=class e{constructor(t){this.paired=t,this.first=void 0,this.all=[],this.indexBySeq=new Map,this.taken=0,this.begun=new Map}take(t){for(t[0]!==this.first&&Object.assign(this,new e(this.paired),{first:t[0]});this.taken<t.length;this.taken++)this.add(t[this.taken]);return this.all}add(t){let o=this.paired&&(t.kind==="action_ended"||t.kind==="action_doubted")?this.begun.get(t.id):void 0;if(o!==void 0){this.all[o]={...this.all[o],end:t,state:tc(t)},this.indexBySeq.set(t.seq,o);return}this.paired&&t.kind==="action_begun"&&this.begun.set(t.id,this.all.length),this.indexBySeq.set(t.seq,this.all.length),this.all.push({entry:t,end:null,state:tc(t)})}};function Wn(e,t){return(e.end||e.entry.kind==="action_begun")&&t.get(e.entry.id)||e.state}function tc(e){return Q$[e.outcome]||""}var nc=(e,t)=>Z$.has(Wn(e,t))||e.entry.kind==="decision_recorded";function oc(e){let t=new Map;return e.forEach((n,o)=>{t.set(n.entry.seq,o),n.end&&t.set(n.end.seq,o)}),t}G();v();var em=/[\p{L}\p{N}]/u,tm=5e3;function sc(e,t,n){let[o,s]=h({seqs:[],done:!0,more:!1,problem:null});return _(()=>{let r=new AbortController,i=async()=>{let l=[],c=0,d=!0;for(;d&&l.length<tm;){let u=await T("/v1/entries",{execution_id:e,text:t,after:c,limit:1e3},{signal:r.signal});if(l=l.concat(u.entries.map(p=>p.seq)),u.last_seq<=c)break;c=u.last_seq,d=u.more}s({seqs:l,done:!0,more:d,problem:null})};return em.test(t)?(s(l=>({...l,done:!1})),i().catch(l=>l.name!=="AbortError"&&s({seqs:[],done:!0,more:!1,problem:l}))):s({seqs:[],done:!0,more:!1,problem:null}),()=>r.abort()},[e,t,n]),o}function rc(e,t){let n=t.split(/\s+/).map(s=>s.replace(/[^\p{L}\p{N}_-]/gu,"")).filter(s=>s.length>1);if(!n.length)return[{text:e,hit:!1}];let o=new RegExp(`(${n.join("|")})`,"giu");return e.split(o).filter(Boolean).map(s=>({text:s,hit:n.some(r=>r.toLowerCase()===s.toLowerCase())}))}var nm={decision_recorded:"claimed",approval_requested:"blocked",approval_decided:"completed",context_recorded:"context",execution_started:"running",execution_ended:"completed",action_noted:"edit",session_noted:"agent",body_erased:"close",unreadable:"warning"};function ac({execution:e,selected:t,action:n,onEntry:o,onAction:s}){let{lines:r}=Jl(e),{entries:i,complete:l,problem:c,more:d}=ec(e),[u,p]=h("compact"),[$,f]=h("all"),[g,b]=h(!1),[C,M]=h(""),y=sc(e,C,l?i.length:0),k=u==="compact",O=le(()=>new Map(k?r.map(X=>[X.id,X.state]):[]),[r,k]),V=le(()=>new jo(k),[i[0]?.seq,k]),j=le(()=>[...V.take(i)],[V,i]),R=le(()=>$==="all"?j:j.filter(X=>nc(X,O)),[j,$,O]),B=le(()=>$==="all"?V.indexBySeq:oc(R),[V,R,$]),[L,W]=h(0),J=B.get(L)??-1,oe=A("");_(()=>{let X=t||n?`${t} ${n}`:"";if(X===oe.current)return;let Pe=t?B.get(t):R.findIndex(lp=>lp.entry.id===n);X&&(Pe===void 0||Pe<0)||(oe.current=X,X&&W(R[Pe].entry.seq))},[t,n,R]);let q=X=>X.entry.id.startsWith("ac_")&&k?s(X.entry.id):o(X.entry.seq),xe=X=>R[X]&&(b(!1),W(R[X].entry.seq)),Xe=le(()=>R.findIndex(X=>Wn(X,O)==="failed"),[R,O]),ve=le(()=>[...new Set(y.seqs.map(X=>B.get(X)))].filter(X=>X!==void 0),[y.seqs,R]),yt=le(()=>new Set(ve),[ve]),nt=ve.findIndex(X=>X===J),Y=X=>ve.length&&xe(ve[nt<0?X>0?Math.max(0,ve.findIndex(Pe=>Pe>J)):ve.length-1:(nt+X+ve.length)%ve.length]);fe("Journal",{j:{label:"next entry",run:()=>xe(J+1)},k:{label:"previous entry",run:()=>xe(J-1)},Enter:{label:"open the entry",run:()=>R[J]&&q(R[J])},f:{label:"follow",run:()=>b(!g)},e:{label:"go to the first failure",run:()=>xe(Xe)},n:{label:"next match",run:()=>Y(1)},N:{label:"previous match",run:()=>Y(-1)}});let xt=A(X=>{});xt.current=X=>(W(X.entry.seq),q(X));let mn=me("density")==="comfortable"?40:30;return c&&!i.length?a`<${N} problem=${c} />`:i.length?a`<div class="journal">
    <div class="journal-tools">
      <${Ke} label="Search this journal" value=${C} onChange=${M} onEnter=${()=>Y(1)} placeholder="Search all entries">
        ${C&&a`<span class="journal-count" role="status">${y.done?`${nt>=0?`${nt+1} of `:""}${ve.length}${y.more?"+":""} in ${y.seqs.length}${y.more?"+":""} entries`:"…"}</span>
          <${w} kind="ghost" icon="up" label="Previous match" onClick=${()=>Y(-1)} /><${w} kind="ghost" icon="down" label="Next match" onClick=${()=>Y(1)} />`}
      </${Ke}>
      <${ae} label="Entries" value=${u} choices=${[["compact","Compact"],["full","Full"]]} onChange=${p} />
      <${ae} label="Which" value=${$} choices=${[["all","All"],["problems","Problems and decisions"]]} onChange=${f} />
      <span class="journal-end">
        <${w} icon="first" disabled=${Xe<0} onClick=${()=>xe(Xe)}>First failure</${w}>
        <${w} icon="follow" pressed=${g} onClick=${()=>b(!g)}>Follow</${w}>
        <span class="soft num">${R.length} rows, ${i.length}${l?"":"…"} entries</span>
      </span>
    </div>
    <${N} problem=${c||y.problem} />
    <div class="journal-list panel">
      <${Lt}
        label="Journal"
        rows=${R}
        height=${mn}
        selected=${J}
        atEnd=${g}
        onEnd=${X=>g&&!X&&b(!1)}
        onNear=${d}
        looks=${(X,Pe)=>[Pe,mn,Pe===J,yt.has(Pe),Wn(X,O),C].join(" ")}
        row=${(X,Pe)=>a`<${om} key=${X.entry.seq} row=${X} state=${Wn(X,O)} height=${mn} on=${Pe===J} hit=${yt.has(Pe)} search=${C} onOpen=${()=>xt.current(X)} />`}
      />
    </div>
  </div>`:l?a`<${F} title="No entries." />`:a`<${H} what="Loading the journal" />`}function om({row:e,state:t,height:n,on:o,hit:s,search:r,onOpen:i}){let{entry:l,end:c}=e,d=c?.text&&t==="failed"?`${l.text?`${l.text}: `:""}${c.text}`:l.text||c?.text||(l.tool?"":l.id),u=nm[l.kind],p=l.behind||c?.behind;return a`<div class=${te("line",o&&"line-on",s&&"line-hit",t&&`line-${t}`)} role="listitem" style=${{height:`${n}px`}}>
    <span class="num faint">${l.seq}${c?a`<span class="line-pair">–${c.seq}</span>`:null}</span>
    <${I} at=${l.at} form="absolute" />
    <span class="line-state">${t?a`<${K} state=${t} quiet />`:a`<span class="line-kind">${u&&a`<${S} name=${u} />`}${l.word||zn(l.kind)}</span>`}</span>
    <button type="button" class="line-what cut" aria-pressed=${String(o)} onClick=${i}>
      ${p?a`<span class="soft">(clock ${ue(p*1e3)} behind) </span>`:null}${l.undo&&a`<strong>undo </strong>`}${l.tool?a`<code><${m} text=${l.tool} /></code> `:t||!l.word?null:a`<span class="soft">${zn(l.kind)} </span>`}
      ${r?rc(d,r).map($=>$.hit?a`<mark><${m} text=${$.text} /></mark>`:a`<${m} text=${$.text} />`):a`<${m} text=${d} />`}
    </button>
    <span class="line-who cut"><${m} text=${l.actor} /></span>
    <span class="line-witness"><${Qe} witness=${l.witness} /></span>
    <span class="num line-took">${c&&t!=="in_doubt"?ue(Date.parse(c.at)-Date.parse(l.at)):""}</span>
  </div>`}Ae();ee();U();var sm=8,ic=()=>`tallystick.recent.${Z()}`;function kr(){try{let e=JSON.parse(localStorage.getItem(ic())||"[]");return Array.isArray(e)?e.filter(t=>typeof t?.path=="string"&&t.path.startsWith("/")&&!t.path.startsWith("//")&&typeof t.title=="string"):[]}catch{return[]}}function lc(e){let t=location.pathname,n=kr().filter(o=>o.path!==t);localStorage.setItem(ic(),JSON.stringify([{path:t,title:e},...n].slice(0,sm)))}var Sr=99,Er="Tallystick",jt=0;function qo(e,t=!1){t&&lc(e),Er=e==="Tallystick"?e:`${e} · Tallystick`,dc()}function cc(e){if(e===jt)return;jt=e,dc();let t=document.querySelector("link[rel=icon]");t&&(t.href=jt?`/favicon.ico?waiting=${Math.min(jt,Sr+1)}`:"/static/favicon.svg")}function dc(){document.title=jt?`(${rm()}) ${Er}`:Er}var rm=()=>jt>Sr?`${Sr}+`:String(jt);U();z();var am=1e4,im=["not_undone","undoing","in_doubt","failed"];function lm({id:e,query:t}){let{data:n,problem:o,reload:s}=P({by:[e],execution:e},d=>T(`/v1/executions/${encodeURIComponent(e)}/status`,{limit:am},{signal:d}));_(()=>{n&&qo(_e(n.execution.title||e),!0)},[n?.execution.title]);let r=t.get("tab")||"work";if(dm(e,r),!n)return a`<div class="page"><h1 class="visually-hidden">${e}</h1>${o?a`<${N} problem=${o} retry=${s} />`:a`<${H} what="Loading the execution" />`}</div>`;let i={action:t.get("action")||"",step:t.get("step")||"",entry:t.get("entry")||""},l=d=>Q({action:"",step:"",entry:"",...d}),c=!!(i.action||i.step||i.entry);return a`<div class="page x-page">
    <${gl} status=${n} query=${t} />
    <${N} problem=${o} retry=${s} />
    <${On} label="Views of this execution" value=${r} tabs=${cm(n)} href=${d=>uc(e,d)} />
    <div class=${te("x-body",c&&"x-detailed",`x-tab-${r}`)}>
      <div class="x-main"><${um} tab=${r} status=${n} query=${t} chosen=${i} select=${l} /></div>
      ${c&&a`<${pl} execution=${e} status=${n.execution.status} ...${i} steps=${n.steps||[]} onClose=${()=>l({})} onAction=${d=>l({action:d})} />`}
    </div>
  </div>`}var rn=[["work","Work"],["journal","Journal"],["undo","Undo list"],["doubt","In doubt"],["context","Context"],["coverage","Coverage"]],uc=(e,t)=>x(`/x/${e}`,{tab:t===rn[0][0]?"":t});function cm(e){let{owed:t,in_doubt:n,undo_states:o={}}=e.execution,r={undo:im.reduce((l,c)=>l+Number(o[c]||0),0),doubt:n},i={undo:t?"undo":"plain",doubt:"doubt"};return rn.map(([l,c])=>({id:l,title:c,count:r[l],tone:i[l]}))}function dm(e,t){let n=rn.findIndex(([s])=>s===t),o=s=>ce(uc(e,rn[(n+s+rn.length)%rn.length][0]));fe("Execution",{"]":{label:"next view",run:()=>o(1)},"[":{label:"previous view",run:()=>o(-1)},u:{label:"back to all executions",run:()=>ce("/executions")}})}function um({tab:e,status:t,query:n,chosen:o,select:s}){let r=t.execution,i=l=>s({action:l});return e==="journal"?a`<${ac} execution=${r.id} selected=${Number(o.entry)||0} action=${o.action} onEntry=${l=>s({entry:l})} onAction=${i} />`:e==="undo"?a`<${vl} execution=${r.id} onAction=${i} />`:e==="doubt"?a`<${fl} execution=${r.id} onAction=${i} />`:e==="context"?a`<${Ji} execution=${r.id} task=${r.task_id||""} />`:e==="coverage"?a`<${Yi} coverage=${t.coverage} />`:a`<${Vl} status=${t} query=${n} chosen=${o} select=${s} row_actions=${xl(r)} />`}var Rr={};Ce(Rr,{Page:()=>Dm});G();Ar();Fo();G();Fo();v();ee();U();var hm={m:6e4,h:36e5,d:864e5,w:6048e5},gm=20,bm=8;function Gn(e,t=Date.now()){let n=e.trim().toLowerCase();if(n==="today")return{since:ln(Vn(t,0,0))};if(n==="yesterday")return{since:ln(Vn(t,-1,0)),until:ln(Vn(t,0,0))};if(n==="last night"){let s=Vn(t,0,bm);return{since:ln(Vn(t,-1,gm)),...s<t?{until:ln(s)}:{}}}let o=/^(\d{1,6})\s*([mhdw])$/.exec(n);return o?{since:ln(t-Number(o[1])*hm[o[2]])}:null}function Vn(e,t,n){let o=new Date(e);return new Date(o.getFullYear(),o.getMonth(),o.getDate()+t,n).getTime()}var ln=e=>new Date(e).toISOString();z();function ym(e){try{let t=JSON.parse(localStorage.getItem(_c(e))||"null");return Number.isFinite(t?.since)&&Number.isFinite(t?.until)?t:null}catch{return null}}var _c=e=>`tallystick.looked.${e}`;function Ho(e){let t=Date.now(),n=ym(e),o=n?t-n.until<6e5?n.since:n.until:0;return localStorage.setItem(_c(e),JSON.stringify({since:o,until:t})),o}function wc(e,t){let n=()=>document.hidden||Ho(e),o=()=>!document.hidden&&t(),s=setInterval(n,6e4);return document.addEventListener("visibilitychange",o),()=>(clearInterval(s),document.removeEventListener("visibilitychange",o))}var xm=12,_m=500,wm=[["look","Since you last looked"],["24h","24 hours"],["last night","Last night"],["7d","7 days"]],vm={look:"Since you last looked","24h":"The last 24 hours","last night":"Last night","7d":"The last 7 days"},km=["execution_started","execution_ended","decision_recorded"],Sm=[["failed","failed","failed"],["completed","finished","ok"],["cancelled","cancelled","idle"],["closed","closed","idle"],["started","started","running"]];function vc({range:e,all:t}){let[n,o]=h(()=>Ho(Z()));_(()=>wc(Z(),()=>o(Ho(Z()))),[]);let s=e||(n?"look":"24h"),r=s==="look"?{since:new Date(n).toISOString()}:Gn(s)??{since:"24h"},i=P({by:[Z(),s,n,t],kinds:km},c=>T("/v1/activity",{...r,limit:t?_m:xm},{signal:c})),l=i.data;return a`<section class="home-activity" aria-labelledby="happened">
    <header class="page-head">
      <h2 id="happened">${vm[s]??s}</h2>
      ${l&&a`<${Em} since=${l.since} until=${l.until} />`}
      <div class="page-head-end"><${ae} label="Range" value=${s} choices=${wm} onChange=${c=>Q({range:c==="look"?"":c,all:""},{replace:!0})} /></div>
    </header>
    <${N} problem=${i.problem} retry=${i.reload} />
    ${l?a`<${Tm} data=${l} all=${t} />`:!i.problem&&a`<${H} />`}
  </section>`}function Em({since:e,until:t}){let n=tt(),o=we(),s=o-Date.parse(t)<6e4;return a`<p class="soft">${Nt(e,n)} – ${s?"now":Nt(t,n)}${s?` (${ue(o-Date.parse(e),1)})`:""}</p>`}function Tm({data:e,all:t}){let n=e.agents??[],o=e.executions??[];return n.length?a`<ul class="home-agents" aria-label="By agent">
      ${n.map(s=>a`<li key=${s.actor}>
        <strong class="cut"><${m} text=${s.actor} /></strong>
        <span>${Sm.filter(([r])=>s[r]).map(([r,i,l],c)=>a`${c?", ":""}<span class=${`count-${l}`}>${s[r]} ${i}</span>`)}</span>
      </li>`)}
    </ul>
    <div class="panel home-rows" role="list" aria-label="Executions">
      ${o.map((s,r)=>a`<${an} key=${s.id} row=${s} index=${`happened-${r}`} selected=${!1} onFocus=${()=>{}} />`)}
    </div>
    ${e.more&&!t&&a`<p class="soft">There are more. <a href=${x(location.pathname+location.search,{all:1})}>Show all, those that failed first</a></p>`}
    ${(e.more&&t||e.whole===!1)&&a`<p class="soft">${e.more?`These are the first ${o.length}. `:"Older executions may have ended in this time. "}<a href=${x("/executions",{q:`since:${e.since} until:${e.until}`})}>Show all executions started in this time</a></p>`}`:a`<${D}><${F} icon="check" title="Nothing was started or finished." /><//>`}v();se();Uo();Ae();U();z();var Nr={question_waits:{word:"Question",many:"questions",tone:"waiting",icon:"blocked",button:"Answer"},undo_expires:{word:"Undo expires",many:"undos expire",tone:"undo",icon:"late",button:"Undo or keep"},in_doubt:{word:"In doubt",tone:"doubt",icon:"in_doubt",button:"Settle"},run_held:{word:"Step held",many:"steps held",tone:"doubt",icon:"paused",button:"Settle"},interrupted:{word:"Interrupted",tone:"doubt",icon:"warning",button:"Take up or end"},undo_left:{word:"Not undone",tone:"undo",icon:"owed",button:"Undo or keep"}},Am={in_doubt:"doubt",run_held:"doubt",undo_expires:"undo",undo_left:"undo"},Sc=(e,t)=>`${t} ${t>1&&Nr[e]?.many||(Nr[e]?.word??e).toLowerCase()}`;function Ec(e){return e.need==="question_waits"?x(`/approvals/${e.about}`):x(`/x/${e.execution_id}`,{tab:Am[e.need]??""})}function Tc({items:e}){let[t,n]=h(-1),o=s=>n(Math.max(0,Math.min(e.length-1,t+s)));return fe("Needs you",{j:{label:"next",run:()=>o(1)},k:{label:"previous",run:()=>o(-1)},Enter:{label:"open it",run:()=>e[t]&&ce(Ec(e[t]))}}),_(()=>{if(t<0)return;document.querySelector(`[data-need="${t}"] .need-link`)?.focus()},[t]),a`<ul class="needs panel" aria-label="What needs you">
    ${e.map((s,r)=>a`<${Om} key=${`${s.need}/${s.about}`} item=${s} index=${r} onFocus=${()=>n(r)} />`)}
  </ul>`}function Om({item:e,index:t,onFocus:n}){let{word:o,tone:s,icon:r,button:i}=Nr[e.need]??{word:e.need,tone:"plain",icon:"warning",button:"Open"},l=Ec(e);return a`<li class=${`need tone-${s}`} data-need=${t}>
    <span class="need-kind"><${ne} tone=${s} icon=${r}>${o}</${ne}></span>
    <div class="need-what">
      <a class="need-link" href=${l} onFocus=${n}><${m} text=${e.need==="question_waits"?e.text:e.title||e.text} /></a>
      <p class="need-text soft">
        ${e.need==="question_waits"?e.title&&a`<${m} text=${e.title} />`:e.title&&a`<${m} text=${e.text} />`}
        ${e.count>1&&a`<strong>, and ${e.count-1} more</strong>`}
      </p>
    </div>
    <div class="need-since">
      ${e.until?a`<${Im} until=${e.until} />`:a`<span><${I} at=${e.since} /></span>`}
      ${e.who&&a`<span class="need-who cut"><${m} text=${e.who} /></span>`}
    </div>
    <${Fe} class="need-button" href=${l} kind=${e.need==="question_waits"?"primary":"plain"} tabindex="-1" aria-label=${`${i}: ${_e(e.title||e.text)}`}>${i}</${Fe}>
  </li>`}function Im({until:e}){let{text:t,urgency:n}=Jn(e,we());return a`<span class="need-until" title=${e}><${S} name="late" size=${14} /> ${n==="over"?"too late":t}</span>`}G();v();ee();U();z();var Nm=6e4,Mc={verify_failed:"Verification failed",hook_silent:"Hooks are silent",run_failed:"A run failed",tool_failing:"A tool fails more than usual",step_slow:"A step takes long"};function Cc(){let{data:e,reload:t}=P({by:[Z()],kinds:["alert_silenced","execution_ended"]},o=>T("/v1/alerts",{},{signal:o}));_(()=>{let o=setInterval(()=>document.hidden||t(),Nm);return()=>clearInterval(o)},[]);let n=(e?.alerts??[]).filter(o=>o.rule in Mc&&!o.silenced);return n.length?a`<section aria-labelledby="watch">
    <header class="page-head"><h2 id="watch">Worth a look</h2><div class="page-head-end"><a href=${x("/alerts")}>All alerts</a></div></header>
    <ul class="needs panel" aria-label="Worth a look">
      ${n.map(o=>a`<li class="need" key=${`${o.rule}/${o.about}`}>
        <span class="need-kind"><${ne} tone="failed" icon="warning">${Mc[o.rule]}</${ne}></span>
        <div class="need-what">
          ${o.execution_id?a`<a class="need-link" href=${x(`/x/${o.execution_id}`)}><${m} text=${o.text} /></a>`:a`<span class="need-link"><${m} text=${o.text} /></span>`}
          <p class="need-text soft"><${m} text=${[o.title,o.to_do].filter(Boolean).join(" · ")} /></p>
        </div>
        <div class="need-since"><span><${I} at=${o.since} /></span></div>
      </li>`)}
    </ul>
  </section>`:null}v();se();G();v();ee();U();var Lm=["approval_","execution_","action_doubted","decision_recorded","session_opened","session_ended"],Rm=1e4,Ac=ws({data:null,problem:null,reload:()=>{}}),Lr=Ac.Provider;function Oc(){let e=P({kinds:Lm,by:[Z()]},t=>T("/v1/inbox",{limit:50},{signal:t}));return _(()=>{let t=setInterval(()=>document.hidden||e.reload(),Rm);return()=>clearInterval(t)},[]),_(()=>cc(Se()?0:Yn(e.data)),[e.data]),e}var Wo=()=>Ms(Ac),Yn=e=>Object.values(e?.counts??{}).reduce((t,n)=>t+n,0);ee();U();z();function Dm({query:e}){let{data:t,problem:n,reload:o}=Wo(),s=P({by:[Z()],kinds:["execution_started"]},l=>T("/v1/executions",{limit:1},{signal:l})),r=e.has("q")||e.has("group")||Se();if(_(()=>{r&&ce(x("/executions",e),{replace:!0})},[r]),r)return null;if(s.data&&!s.data.executions.length)return a`<${Bo} />`;if(!t||!s.data)return a`<div class="page"><h1 class="visually-hidden">Home</h1>${n?a`<${N} problem=${n} retry=${o} />`:a`<${H} />`}</div>`;let i=Yn(t);return a`<div class="page home">
    <header class="page-head">
      <h1>${i?"Needs you":"Nothing needs you"}</h1>
      ${i>0&&a`<p class="home-counts soft">${Pm(t.counts)}</p>`}
    </header>
    <${N} problem=${n} retry=${o} />
    ${i?a`<${Tc} items=${t.items} />`:a`<p class="home-calm"><${S} name="completed" size=${20} /><span>No question waits, nothing is in doubt, and nothing is left to undo.</span></p>`}
    ${(t.items.length<i||t.more.length>0)&&a`<p class="soft">There are more: look at <a href=${x("/executions")}>all executions</a>.</p>`}
    <${jm} rows=${t.working} count=${t.working_count} />
    <${Cc} />
    <${vc} range=${e.get("range")||""} all=${e.has("all")} />
  </div>`}var Pm=e=>Object.entries(e).map(([t,n])=>Sc(t,n)).join(" · ");function jm({rows:e,count:t}){return a`<section aria-labelledby="working">
    <header class="page-head">
      <h2 id="working">${t?"Running now":"Nothing is running"}</h2>
      ${t>0&&a`<p class="soft">${t} ${t===1?"execution":"executions"}</p>`}
      <div class="page-head-end"><a href=${x("/executions")}>All executions</a></div>
    </header>
    ${t>0&&a`<div class="panel home-rows" role="list" aria-label="Running now">
      ${e.map((n,o)=>a`<${an} key=${n.id} row=${n} index=${`working-${o}`} selected=${!1} onFocus=${()=>{}} />`)}
    </div>`}
    ${t>e.length&&a`<p class="soft"><a href=${x("/executions",{q:"only:working"})}>Show all that are running</a></p>`}
  </section>`}U();ze();Pr();Wt();v();se();G();v();se();U();je();var Bm="excerpt";function Dc(){let[e,t]=h([]),n=Se()?Z():"";if(_(()=>{n&&T("/v1/imports").then(r=>t(r.imports),()=>{})},[n]),!n)return null;let o=e.find(r=>r.journal===n),s=o&&!o.verified;return a`<p class=${`imported ${s?"imported-wrong":""}`} role="note">
    <${S} name=${s?"warning":"import"} />
    <span>This is an imported export${o&&o.of!==Bm&&a` of <code><${m} text=${o.of} /></code>`}, not a journal of this server.
      ${s&&a`<strong> It does not verify: <${m} text=${o.problem.replace(/\.$/,"")} />. Do not rely on it.</strong>`}</span>
  </p>`}Nn();Ae();ee();U();G();v();se();U();z();U();var Ko={recent:["Recent","late"],page:["Pages","table"],execution:["Executions","executions"],plan:["Plans","plans"],approval:["Approvals","approvals"],action:["Actions","running"],decision:["Decisions","check"],context:["Context","context"],person:["People and agents","person"],tool:["Tools","settings"]},zm=e=>/\s/.test(e)?`"${e}"`:e;function jr(e){let{kind:t,id:n}=e;return e.path?x(e.path):t==="execution"?x(`/x/${n}`):t==="plan"?x(`/plans/${n}`):t==="approval"?x(`/approvals/${n}`):t==="action"?x(`/x/${e.execution_id}`,{action:n}):t==="decision"?x(`/x/${e.execution_id}`,{tab:"journal"}):t==="context"?x("/context",{text:n.split(" ").slice(1).join(" ")}):x("/executions",{q:`${t==="person"?"agent":"tool"}:${zm(n)}`})}var Fm=/\b(since|until):(?:"([^"]*)"|(\S+))/gi,Hm=/(?<![^\W_])(today|yesterday|last night)(?![^\W_])/gi;function Pc(e){let t={},n=e.replace(Fm,(o,s,r,i)=>{let l=r??i,c=Gn(l);return s.toLowerCase()==="since"?t={...t,...c??{since:l}}:t={...t,until:c?.until??c?.since??l}," "});return n=n.replace(Hm,(o,s)=>(t={...t,...Gn(s)}," ")),{text:n.trim().replaceAll(/\s+/g," "),...t}}var Um=150,Wm=/^(ex|pl|ap)_[a-z0-9]+$/,Km={ex:"execution",pl:"plan",ap:"approval"},qc=[["/","Home"],["/executions","Executions"],["/approvals","Approvals"],["/plans","Plans"],["/context","Context"],["/stats","Stats"],["/alerts","Alerts"],["/webhooks","Webhooks"],["/compare","Compare two executions"]];function Bc({onClose:e}){let[t,n]=h(""),{found:o,searched:s,problem:r,pending:i}=Vm(t),l=A(!1),[c,d]=h(0),u=A(null),p=Me();_(()=>{let b=u.current;return b?.showModal(),()=>b?.close()},[]),_(()=>{d(0),l.current&&o[0]&&$(o[0]),l.current=!1},[o]),_(()=>u.current?.querySelector("[aria-selected=true]")?.scrollIntoView({block:"nearest"}),[c,o]);let $=b=>(e(),ce(jr(b))),f=b=>{let C={ArrowDown:1,ArrowUp:-1}[b.key];if(C)d((c+C+o.length)%Math.max(o.length,1));else if(b.key==="Enter"&&i)l.current=!0;else if(b.key==="Enter"&&o[c])$(o[c]);else return;b.preventDefault()};return a`<dialog ref=${u} class="dialog palette" aria-label="Search" onCancel=${b=>(b.preventDefault(),e())} onClick=${b=>b.target===u.current&&e()}>
    <div class="palette-box">
      <div class="palette-input">
        <${S} name="search" />
        <input type="text" role="combobox" aria-label="Search everything" aria-expanded="true" aria-controls=${p} aria-activedescendant=${o.length?`${p}-${c}`:null}
          autofocus autocomplete="off" spellcheck="false" placeholder="Search executions, actions, approvals, people, …" value=${t}
          onInput=${b=>n(b.target.value)} onKeyDown=${f} />
        <button type="button" class="button button-ghost" onClick=${e}>Close</button>
      </div>
      <${N} problem=${r} />
      <div id=${p} class="palette-list" role="listbox" aria-label="Found">
        ${Jm(o).map(([b,C])=>a`<div role="group" aria-label=${Ko[b][0]} key=${b}>
          <div class="palette-kind" aria-hidden="true">${Ko[b][0]}</div>
          ${C.map(([M,y])=>a`<${Ym} key=${`${M.kind} ${M.id}`} id=${`${p}-${y}`} found=${M} chosen=${y===c} onOpen=${()=>$(M)} onPoint=${()=>d(y)} />`)}
        </div>`)}
      </div>
      <p class="palette-note soft" role="status">${i?"Searching…":o.length?a`<span class="visually-hidden">${o.length} found</span>`:s?"Nothing was found.":""}</p>
      <p class="palette-hints soft"><span><${Be} keys="↑ ↓" /> choose <${Be} keys="Enter" /> open</span><span>Times too: <code>yesterday</code> <code>last night</code> <code>since:16h</code></span></p>
    </div>
  </dialog>`}function Vm(e){let t=le(()=>[...kr().map(s=>({kind:"recent",id:s.path,...s})),...qc.map(([s,r])=>({kind:"page",id:s,path:s,title:r}))],[]),[n,o]=h({found:t,searched:!1,problem:null});return _(()=>{let s=Pc(e);if(!s.text&&!s.since&&!s.until)return o({found:t,searched:!1,problem:null,of:e});let r=new AbortController,i=setTimeout(()=>Gm(s,r.signal).then(l=>r.signal.aborted||o({found:l,searched:!0,problem:null,of:e}),l=>r.signal.aborted||o({found:[],searched:!0,problem:l,of:e})),Um);return()=>(clearTimeout(i),r.abort())},[e]),{...n,pending:e!==(n.of??"")}}async function Gm(e,t){let n=Wm.exec(e.text);if(n)return[{kind:Km[n[1]],id:e.text,title:e.text}];let o=qc.filter(([,r])=>e.text&&r.toLowerCase().startsWith(e.text.toLowerCase())).map(([r,i])=>({kind:"page",id:r,path:r,title:i}));return/[\p{L}\p{N}]/u.test(e.text)?[...o,...(await T("/v1/matches",e,{signal:t})).matches]:e.text?[]:(await T("/v1/executions",{since:e.since,until:e.until,limit:20},{signal:t})).executions.map(r=>({kind:"execution",id:r.id,title:r.title,at:r.started,who:r.actor}))}function Jm(e){let t=new Map;return e.forEach((n,o)=>t.set(n.kind,[...t.get(n.kind)??[],[n,o]])),[...t]}function Ym({id:e,found:t,chosen:n,onOpen:o,onPoint:s}){let r=t.snippet??[],i=t.title||t.id,l=r.length>0&&r.join("")===i,c=t.execution_title&&t.kind!=="execution"?t.execution_title:"";return a`<a role="option" id=${e} tabindex="-1" class="palette-option" href=${jr(t)} aria-selected=${String(n)} onMouseMove=${s}
    onClick=${d=>{d.metaKey||d.ctrlKey||d.shiftKey||(d.preventDefault(),o())}}>
    <${S} name=${Ko[t.kind]?.[1]??"table"} />
    <span class="palette-what">
      <span class="palette-title cut">${l?a`<${jc} pieces=${r} />`:a`<${m} text=${i} />`}</span>
      ${r.length>0&&!l&&a`<span class="palette-snippet cut"><${jc} pieces=${r} /></span>`}
      ${(c||t.who)&&a`<span class="palette-where cut soft">${c&&a`<${m} text=${c} />`}${c&&t.who?" · ":""}${t.who&&a`<${m} text=${t.who} />`}</span>`}
    </span>
    ${t.at&&a`<span class="palette-at soft"><${I} at=${t.at} /></span>`}
  </a>`}function jc({pieces:e}){return e.map((t,n)=>n%2?a`<mark><${m} text=${t} /></mark>`:a`<${m} text=${t} />`)}ze();Ve();z();var Fc=[["/","Home","home","h"],["/executions","Executions","executions","e"],["/approvals","Approvals","approvals","a"],["/plans","Plans","plans","p"],["/context","Context","context","c"],["/stats","Stats","stats","s"]];function qr({path:e,children:t}){let[n,o]=h(!1),[s,r]=h(!1),i=Oc(),l=Fc.map(([c,d,,u])=>[`g ${u}`,{label:`go to ${d.toLowerCase()}`,run:()=>ce(c)}]);return fe("Everywhere",{"?":{label:"show these shortcuts",run:()=>o(!0)},"/":{label:"search everything",run:()=>r(!0)},"Ctrl+k":{label:"search everything",run:()=>r(!0),typing:!0},f:{label:"filter this page",run:rr},...Object.fromEntries(l),"g l":{label:"go to alerts",run:()=>ce("/alerts")}}),a`<${Lr} value=${i}>
    <a class="skip" href="#main" data-native>Skip to the content</a>
    <header class="top">
      <a class="brand" href=${x("/")} aria-label="Tallystick, home"><${xo} /><span>Tallystick</span></a>
      <${Qm} />
      <${Xm} path=${e} />
      <div class="top-end">
        <${w} kind="ghost" icon="search" aria-label="Search, Ctrl K" onClick=${()=>r(!0)}><span class="search-key">Ctrl K</span></${w}>
        <${Zm} />
        <${th} />
        <${nh} onHelp=${()=>o(!0)} />
      </div>
    </header>
    <${Dc} />
    <main id="main" tabindex="-1">${t}</main>
    <${js} />
    <${Lc} />
    <${ah} />
    ${s&&a`<${Bc} onClose=${()=>r(!1)} />`}
    ${n&&a`<${rh} onClose=${()=>o(!1)} />`}
  </${Lr}>`}function Xm({path:e}){let t=Wo().data,n=!Se()&&t?.counts||{},o={"/":[Se()?0:Yn(t),"need you"],"/approvals":[n.question_waits??0,"pending"]},s=r=>r==="/"?e==="/"||e==="/alerts":e.startsWith(r)||r==="/executions"&&e.startsWith("/x/");return a`<nav class="navigation" aria-label="Main">
    ${Fc.map(([r,i,l])=>a`<a href=${x(r)} class="nav-link" aria-current=${s(r)?"page":null}>
        <${S} name=${l} /><span>${i}</span>
        ${o[r]?.[0]?a`<span class="nav-link-count tone-waiting"><span class="visually-hidden">, </span>${o[r][0]}<span class="visually-hidden"> ${o[r][1]}</span></span>`:null}
      </a>`)}
  </nav>`}function Qm(){let{shown:e,others:t}=ht();return e?t.length?a`<label class="journal-name"><${S} name="journal" /><span class="visually-hidden">Journal</span>
    <select value=${e} onChange=${n=>ce(`/?journal=${encodeURIComponent(n.target.value)}`)}>
      ${[e,...t].sort().map(n=>a`<option value=${n} selected=${n===e}>${n}</option>`)}
    </select>
  </label>`:a`<span class="journal-name" title="Journal"><${S} name="journal" /><span>${e}</span></span>`:null}function Zm(){let e=tt();return me("time")==="absolute"?a`<span class="zone" title="Time zone">${e}</span>`:null}var eh={live:["live","Live"],connecting:["offline","Connecting"],offline:["offline","Offline"]};function th(){let e=gi(),[t,n]=eh[e];return a`<span class=${`connection connection-${e}`} role="status">
    <${S} name=${t} /><span>${n}</span>
  </span>`}var zc={theme:"Theme",density:"Density",time:"Times",zone:"Time zone"};function nh({onHelp:e}){let t=Oe(),n=tt();return a`<${st} label="Settings" icon="settings" kind="ghost" end>
    <div class="settings">
      ${Object.keys(In).map(o=>a`<${sh} key=${o} name=${o} />`)}
      <p class="soft">Times are shown in ${n}.</p>
      <hr />
      <a class="menu-item" href=${x("/alerts")}><${S} name="warning" />Alerts</a>
      <a class="menu-item" href=${x("/compare")}><${S} name="compare" />Compare two executions</a>
      <a class="menu-item" href=${x("/webhooks")}><${S} name="export" />Webhooks</a>
      <a class="menu-item" href=${x("/import")}><${S} name="import" />Open an export</a>
      <button type="button" class="menu-item" data-close onClick=${e}><${S} name="keyboard" />Shortcuts <${Be} keys="?" /></button>
      ${t.person&&a`<${oh} session=${t} />`}
      <p class="soft">Tallystick ${t.version}</p>
    </div>
  </${st}>`}function oh({session:e}){return a`<button type="button" class="menu-item" onClick=${async()=>{await fetch("/logout",{method:"POST",headers:{"Tallystick-CSRF":e.csrf}}),io(!0),location.assign("/login")}}><${S} name="person" />Log out ${e.name}</button>`}function sh({name:e}){let t=me(e);return a`<div class="setting">
    <span>${zc[e]}</span>
    <${ae} label=${zc[e]} value=${t} choices=${In[e]} onChange=${n=>cr(e,n)} />
  </div>`}function rh({onClose:e}){let t=ti();return a`<${Ze} title="Shortcuts" onClose=${e} wide>
    <div class="help">
      ${t.map(({group:n,keys:o})=>a`<section>
          <h3>${n}</h3>
          <dl>${o.map(([s,r])=>a`<div><dt><${Be} keys=${s} /></dt><dd>${r}</dd></div>`)}</dl>
        </section>`)}
    </div>
  </${Ze}>`}function ah(){let e=ni();return e?a`<div class="pending" role="status"><${Be} keys=${e} /> then…</div>`:null}Ve();z();var ap=()=>Promise.resolve().then(()=>(Td(),Ed)),oy=[["/",async()=>Rr,"Home"],["/executions",()=>Promise.resolve().then(()=>(Rd(),Ld)),"Executions"],["/x/:id",async()=>Tr,"Execution"],["/approvals",ap,"Approvals","approvals"],["/approvals/:id",ap,"Approvals","approvals"],["/alerts",()=>Promise.resolve().then(()=>(qd(),jd)),"Alerts"],["/webhooks",()=>Promise.resolve().then(()=>(Ud(),Hd)),"Webhooks"],["/context",()=>Promise.resolve().then(()=>(Gd(),Vd)),"Context"],["/plans",()=>Promise.resolve().then(()=>(Yd(),Jd)),"Plans"],["/plans/:id",()=>Promise.resolve().then(()=>(tu(),eu)),"Plan"],["/compare",()=>Promise.resolve().then(()=>(cu(),lu)),"Compare"],["/stats",()=>Promise.resolve().then(()=>(Lu(),Nu)),"Stats"],["/replay/:id",()=>Promise.resolve().then(()=>(Qu(),Xu)),"Replay"],["/import",()=>Promise.resolve().then(()=>(op(),np)),"Import"]],sy={module:()=>Promise.resolve().then(()=>(rp(),sp)),params:{},title:"Not found",pageKey:""};function ry(e){for(let[t,n,o,s]of oy){let r=Ka(t,e);if(r)return{module:n,params:r,title:o,pageKey:s}}return sy}function ay(){let{path:e,query:t}=Ua(),{module:n,params:o,title:s,pageKey:r}=ry(e),[i,l]=h(null),c=t.get("journal")||"";ke(()=>{qo(s);let u=!1;return n().then(p=>u||l({module:n,Page:p.Page}),()=>u||l({module:n,Page:iy})),()=>{u=!0}},[n]),_(()=>$i(),[c]);let d=A(0);return Ie(u=>{u===null&&(d.current+=1)>1&&ut()}),a`<${qr} path=${e}>
    <${ip} key=${(r||e)+c}>
      ${i?.module===n?a`<${i.Page} ...${o} query=${t} />`:a`<${H} />`}
    </${ip}>
  </${qr}>`}function iy(){return a`<div class="page"><${N} problem=${{message:"This view could not be loaded.",hint:"Is the server still running?"}} retry=${()=>location.reload()} /></div>`}function ip({children:e}){let[t,n]=Cs(o=>console.error(o));return t?a`<${N} problem=${{message:"This view failed.",hint:String(t)}} retry=${n} />`:a`<${ct}>${e}</${ct}>`}Ki();io();Va();hi();oi();Ja();_s(a`<${ay} />`,document.getElementById("app"));
