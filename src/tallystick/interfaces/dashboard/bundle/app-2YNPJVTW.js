var np=Object.defineProperty;var E=(e,t,n)=>()=>{if(n)throw n[0];try{return e&&(t=e(e=0)),t}catch(o){throw n=[o],o}};var Ce=(e,t)=>{for(var n in t)np(e,n,{get:t[n],enumerable:!0})};function wt(e){e&&e.parentNode&&e.remove()}function ua(e,t,n){var o,r,s,i={},l=arguments.length;for(s in t)s=="key"?o=t[s]:s=="ref"&&typeof e!="function"?r=t[s]:i[s]=t[s];return l>2&&(i.children=l>3?ps.call(arguments,2):n),$n(e,i,o,r,null)}function $n(e,t,n,o,r){var s={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:mn,__v:r||++ia,__i:-1,__u:0};return!r&&de.vnode&&de.vnode(s),s}function ct(e){return e.children}function eo(e,t){this.props=e,this.context=t,this.__g=0}function lt(e,t){if(t==null)return e.__&&lt(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:lt(e)}function rp(e){var t,n=e.__v,o=n.__e,r=[],s=[],i=e.__P;i&&((t=vt({constructor:mn},n)).__v=n.__v+1,de.vnode&&de.vnode(t),fs(i,t,n,e.__n,i.namespaceURI,32&n.__u?[o]:null,r,o||lt(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,ga(r,t,s),n.__=n.__e=null,t.__e!=o&&pa(t))}function pa(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),pa(e)}function cs(e){(8&e.__g||(e.__g|=8,it.push(e),no++))&&is==de.debounceRendering||((is=de.debounceRendering)||queueMicrotask)(fa)}function fa(){try{for(var e,t=1;it.length;)it.length>t&&it.sort(la),e=it.shift(),t=it.length,8&e.__g&&rp(e)}finally{(no=it.length)&&(is||queueMicrotask)(fa)}}function $a(e,t,n,o,r,s,i,l,c,d,u){var p,f,$,g,b,C,M=o.__k||so,y=t.length;for(c=ap(n,t,M,c,y),p=0;p<y;p++)($=n.__k[p])!=null&&(f=~$.__i&&M[$.__i]||oo,$.__i=p,C=fs(e,$,f,r,s,i,l,c,d,u),g=$.__e,(f.ref!=$.ref||8&f.__u)&&(f.ref&&$s(f.ref,null,$,f),$.ref&&u.push($.ref,$.__c||g,$)),b=b||g,4&$.__u?(c=ma($,c,e,!f.__v),f.__e&&(f.__e=null)):typeof $.type=="function"&&C!==void 0?c=C:g&&(c=g.nextSibling),$.__u&=-21);return n.__e=b,c}function ap(e,t,n,o,r){var s,i,l,c,d,u,p,f,$,g=n.length,b=g,C=0,M=0,y=e.__k=Array(r);for(s=0;s<r;s++)(i=t[s])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=y[s]=$n(null,i):us(i)?i=y[s]=$n(ct,{children:i}):i.constructor===mn&&i.__b?i=y[s]=$n(i.type,i.props,i.key,i.ref,i.__v):y[s]=i,c=s+C,i.__=e,i.__b=e.__b+1,l=null,~(d=i.__i=ip(i,n,c,b))&&(b--,(l=n[d])&&(l.__u|=2)),l&&l.__v?(i.__u|=16,d==c-1?C--:d==c+1?C++:d!=c&&(d>c?C--:C++,M=1)):(~d||(r>g?C--:r<g&&C++),typeof i.type!="function"&&(i.__u|=4))):y[s]=null;if(M){for(u=[],p=[],s=0;s<r;s++)if((i=y[s])&&16&i.__u){for(C=0,f=u.length;C<f;)u[$=C+f>>1]<i.__i?C=$+1:f=$;u[C]=i.__i,p[s]=C+1}for(C=u.length;s--;)p[s]&&(p[s]==C?C--:y[s].__u|=4)}if(b)for(s=0;s<g;s++)!(l=n[s])||2&l.__u||(l.__e==o&&(o=lt(l)),ms(l,l));return o}function ma(e,t,n,o){var r,s,i,l;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(s=0;s<r.length;s++)r[s]&&(r[s].__=e,t=ma(r[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=lt(e))&&!t.parentNode&&(t=null),i=e.__e,l=t;l&&l.nodeType==8;)l=l.nextSibling;for(i!=l&&(!o&&n.moveBefore&&i.parentNode?n.moveBefore(i,t):n.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function ip(e,t,n,o){var r,s=e.key,i=e.type,l=t[n],c=l&&!(2&l.__u);if(l===null&&s==null||c&&s==l.key&&i==l.type)return n;if(o>(c?1:0)){for(r=n-1;r>=0;r--)if((l=t[r])&&!(2&l.__u)&&s==l.key&&i==l.type)return r;for(r=n+1;r<t.length;r++)if((l=t[r])&&!(2&l.__u)&&s==l.key&&i==l.type)return r}return-1}function aa(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Qn(e,t,n,o,r){var s,i;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||aa(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||aa(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(i=ls[t]||(ls[t]=lp(t)),(e.__a||(e.__a={}))[t]=ds,s=t!=(t=t.replace(ca,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,i,s):e.removeEventListener(t,i,s));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function lp(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Zn]==null)t[Zn]=ds++;else if(t[Zn]<this.__a[e])return;return n(de.event?de.event(t):t)}}}function fs(e,t,n,o,r,s,i,l,c,d){var u,p,f,$,g,b,C,M,y,S,I,V,j,O,P,q,W,J,re=t.type;if(t.constructor!==mn)return null;128&n.__u&&(c=32&n.__u,u=n.__c.__z)&&(t.__u|=c,p=s=[],u.nodeType==8?l=to(u,s):s.push(u),l=s[0]||l),(u=de.__b)&&u(t);e:if(typeof re=="function"){f=i.length;try{if(M=t.props,y=(u=re.prototype)&&u.render,S=(u=re.contextType)&&o[u.__c],I=u?S?S.props.value:u.__:o,($=n.__c)?(t.__c=$,2&$.__g&&($.__g|=1)):(y?t.__c=$=new re(M,I):(t.__c=$=new eo(M,I),$.constructor=re,$.render=dp),S&&S.sub($),$.state||($.state={}),$.__n=o,$.__g|=8,$.__h=[],$.__k=[]),y&&($.__s||($.__s=$.state),re.getDerivedStateFromProps&&($.__s==$.state&&($.__s=vt({},$.__s)),vt($.__s,re.getDerivedStateFromProps(M,$.__s)))),g=$.props,b=$.state,$.__v=t,n.__c){if(M!==g&&y&&!re.getDerivedStateFromProps&&$.componentWillReceiveProps&&$.componentWillReceiveProps(M,I),t.__v==n.__v&&!(8&$.__g)||!(4&$.__g)&&$.shouldComponentUpdate&&$.shouldComponentUpdate(M,$.__s,I)===!1){t.__v!=n.__v&&($.props=M,$.state=$.__s,$.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(B){B&&(B.__=t)}),so.push.apply($.__h,$.__k),$.__k=[],$.__h.length&&i.push($),l=lt(n);break e}$.componentWillUpdate&&$.componentWillUpdate(M,$.__s,I),y&&$.componentDidUpdate&&$.__h.push(function(){$.componentDidUpdate(g,b,C)})}else y&&!re.getDerivedStateFromProps&&$.componentWillMount&&$.componentWillMount(),y&&$.componentDidMount&&$.__h.push($.componentDidMount);$.context=I,$.props=M,$.__P=e,$.__g&=-5,V=de.__r,j=y?25:0;do $.__g&=-9,V&&V(t),u=$.render($.props,$.state=$.__s,$.context);while(8&$.__g&&++j<25);y&&(so.push.apply($.__h,$.__k),$.__k=[]),$.state=$.__s,$.getChildContext&&(o=vt({},o,$.getChildContext())),y&&n.__c&&$.getSnapshotBeforeUpdate&&(C=$.getSnapshotBeforeUpdate(g,b)),O=u&&u.type===ct&&u.key==null?u.props.children:u,M.__P&&(u=l,r=(e=M.__P).namespaceURI,c=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(B){B&&ms(B,B)}),n.__k=null),l=n.__k?lt(n,0):null),l=$a(e,us(O)?O:[O],t,n,o,r,s,i,l,c,d),M.__P&&(t.__e=null,l=u),t.__u&=-161,p&&p.some(wt),$.__h.length&&i.push($),1&$.__g&&($.__g&=-4)}catch(B){if(i.length=f,t.__v=null,c||s)if(B&&B.then){if(t.__u|=128|c,s){for(~(W=s.indexOf(l||void 0))||(W=s.length);(J=s[W-1])&&J.nodeType==8;)W--;for(;W<s.length;W++)if(J=s[W])if(s[W]=null,P){if(J==q)break}else{if(J.nodeType!=8)break;J.data.startsWith("$s")&&(q=to(P=J))}}if(!P){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;P=l}(u=to(P=t.__c.__z||(t.__c.__z=P)))?(t.__e=P,l=u):t.__e=l,l=l&&l.nextSibling}else s&&s.some(wt);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),B&&B.then||ha(t),de.__e(B,t,n)}}else l=t.__e=cp(n.__e,t,n,o,r,s,i,c,d,e);return(u=de.diffed)&&u(t),l}function to(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function ha(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(ha))}function ga(e,t,n){for(var o=0;o<n.length;)$s(n[o++],n[o++],n[o++]);de.__c&&de.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(s){s.call(r)})}catch(s){de.__e(s,r.__v)}})}function cp(e,t,n,o,r,s,i,l,c,d){var u,p,f,$,g,b,C,M,y=n.props||oo,S=t.props,I=t.type;if(I=="svg"?r="http://www.w3.org/2000/svg":I=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),s){for(u=0;u<s.length;u++)if((g=s[u])&&(I?g.localName==I:g.nodeType==3)){e=g,s[u]=null;break}}if(!e){if(M=d.ownerDocument||document,!I)return M.createTextNode(S);e=M.createElementNS(r,I,S.is?S:d),l&&(de.__m&&de.__m(t,s),l=!1),s=null}if(I){if(d=I=="template"&&e.content||e,s=I=="textarea"&&S.defaultValue!=null?null:s&&ps.call(d.childNodes),!l&&s)for(y={},u=0;u<e.attributes.length;u++)y[(g=e.attributes[u]).name]=g.value;for(u in y)g=y[u],u=="dangerouslySetInnerHTML"?f=g:u=="children"||u in S||u=="value"&&"defaultValue"in S||u=="checked"&&"defaultChecked"in S||Qn(e,u,null,g,r);for(u in S)g=S[u],u=="children"?$=g:u=="dangerouslySetInnerHTML"?p=g:u=="value"?b=g:u=="checked"?C=g:l&&typeof g!="function"||y[u]===g||Qn(e,u,g,y[u],r);p?(l||f&&(p.__html==f.__html||p.__html==e.innerHTML)||(e.innerHTML=p.__html),t.__k=[]):(f&&(e.textContent=""),(I=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&sp.test(I))&&(r="http://www.w3.org/1999/xhtml"),$a(d,us($)?$:[$],t,n,o,r,s,i,s?s[0]:n.__k&&lt(n,0),l,c),s&&s.some(wt)),l&&I!="textarea"||(u="value",I=="progress"&&b==null?e.removeAttribute(u):b==null||b===e[u]&&(I!="progress"||b)||Qn(e,u,b,y[u],r),u="checked",C!=null&&C!=e[u]&&Qn(e,u,C,y[u],r))}else y===S||l&&e.data==S||(e.data=S);return e}function $s(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){de.__e(r,n)}}function ms(e,t,n){var o,r,s,i;if(de.unmount&&de.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||$s(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(l){de.__e(l,t)}o.__P=o.__n=null}if(o=e.__k)for(i=0;i<o.length;i++)o[i]&&ms(o[i],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(r=to(o,s=[]))&&(o==e.__e&&s.some(wt),wt(r),wt(o)),n||wt(e.__e),e.__e=e.__c=e.__=null}function dp(e,t,n){return this.constructor(e,n)}function hs(e,t){var n,o,r,s;de.__&&de.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=$n(ct,{children:[e]}),r=[],s=[],fs(t,t.__k,o||oo,oo,t.namespaceURI,o?null:t.firstChild?ps.call(t.childNodes):null,r,o?o.__e:t.firstChild,n,s),ga(r,t.__k,s),t.__k.props.children=null}function gs(e){function t(n){var o,r;return this.getChildContext||(o=new Set,(r={})[t.__c]=this,this.getChildContext=function(){return r},this.shouldComponentUpdate=function(s){this.props.value!=s.value&&o.forEach(function(i){i.__g|=4,cs(i)})},this.sub=function(s){o.add(s);var i=s.componentWillUnmount;s.componentWillUnmount=function(){o.delete(s),i&&i.call(s)}}),n.children}return t.__c="__cC"+da++,t.__=e,t.Provider=(t.Consumer=function(n,o){return n.children(o)}).contextType=t,t}var de,ia,op,it,is,no,la,Zn,ca,ds,ls,da,mn,oo,so,sp,us,ps,vt,bs=E(()=>{mn=Symbol.for("pv"),oo={},so=[],sp=/^m(i|n|o|s|text|space)$/,us=Array.isArray,ps=so.slice,vt=Object.assign;de={__e:function(e,t,n,o){for(var r,s,i;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((i=(s=r.constructor)&&s.getDerivedStateFromError)&&r.setState(s.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,o||{}),i=1),i&&8&r.__g)return void(r.__g|=2)}catch(l){e=l}}throw no=0,e}},ia=0,op=function(e){return e!=null&&e.constructor===mn},eo.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=vt({},this.state)),typeof e=="function"&&(e=e(vt({},n),this.props)),e&&(vt(n,e),this.__v&&(t&&this.__k.push(t),cs(this)))},eo.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),cs(this))},eo.prototype.render=ct,it=[],no=0,la=function(e,t){return e.__v.__b-t.__v.__b},Zn=Symbol(),ca=/(PointerCapture)$|Capture$/i,ds=0,ls={},da=0});function xa(e){var t=ba.get(this);return t||(t=new Map,ba.set(this,t)),(t=ya(this,t.get(e)||(t.set(e,t=(function(n){for(var o,r,s=1,i="",l="",c=[0],d=function(f){s===1&&(f||(i=i.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,f,i):s===3&&(f||i)?(c.push(3,f,i),s=2):s===2&&i==="..."&&f?c.push(4,f,0):s===2&&i&&!f?c.push(5,0,!0,i):s>=5&&((i||!f&&s===5)&&(c.push(s,0,i,r),s=6),f&&(c.push(s,f,0,r),s=6)),i=""},u=0;u<n.length;u++){u&&(s===1&&d(),d(u));for(var p=0;p<n[u].length;p++)o=n[u][p],s===1?o==="<"?(d(),c=[c],s=3):i+=o:s===4?i==="--"&&o===">"?(s=1,i=""):i=o+i[0]:l?o===l?l="":i+=o:o==='"'||o==="'"?l=o:o===">"?(d(),s=1):s&&(o==="="?(s=5,r=i,i=""):o==="/"&&(s<5||n[u][p+1]===">")?(d(),s===3&&(c=c[0]),s=c,(c=c[0]).push(2,0,s),s=0):o===" "||o==="	"||o===`
`||o==="\r"?(d(),s=2):i+=o),s===3&&i==="!--"&&(s=4,c=c[0])}return d(),c})(e)),t),arguments,[])).length>1?t:t[0]}var ya,ba,_a=E(()=>{ya=function(e,t,n,o){var r;t[0]=0;for(var s=1;s<t.length;s++){var i=t[s++],l=t[s]?(t[0]|=i?1:2,n[t[s++]]):t[++s];i===3?o[0]=l:i===4?o[1]=Object.assign(o[1]||{},l):i===5?(o[1]=o[1]||{})[t[++s]]=l:i===6?o[1][t[++s]]+=l+"":i?(r=e.apply(l,ya(e,l,n,["",null])),o.push(r),l[0]?t[0]|=2:(t[s-2]=0,t[s]=r)):o.push(l)}return o},ba=new Map});function kt(e,t){he.__h&&he.__h(ue,e,gn||t),gn=0;var n=ue.__H||(ue.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function h(e){return gn=1,Ft(Oa,e)}function Ft(e,t,n){var o=kt(ot++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):Oa(void 0,t),function(s){var i=(o.__N||o.__)[0],l=o.t(i,s);xs(i,l)||(o.__N=[l,o.__[1]],o.__c.setState({}))}],o.__c=ue,!ue.__f)){ue.__f=!0;var r=ue.shouldComponentUpdate;ue.shouldComponentUpdate=function(s,i,l){var c=this.__H;if(!c)return!0;var d=!1,u=this.props!=s;if(c.__.some(function(f){f.__N&&(d=!0,xs(f.__[0],f.__N[0])||(u=!0))}),r){var p=r.call(this,s,i,l);return d?p||u:p}return!d||u}}return o.__}function _(e,t){var n=kt(ot++,3);!he.__s&&Ss(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,ue.__H.__h.push(n))}function ke(e,t){var n=kt(ot++,4);!he.__s&&Ss(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,ue.__h.push(n))}function A(e){return gn=5,le(function(){return{current:e}},[])}function le(e,t){var n=kt(ot++,7);return Ss(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function be(e,t){return gn=8,le(function(){return e},t)}function vs(e){var t=ue.context[e.__c],n=kt(ot++,9);return n.c=e,t?(n.__==null&&(n.__=!0,t.sub(ue)),t.props.value):e.__}function ks(e){var t=kt(ot++,10),n=h();return t.__=e,ue.componentDidCatch||(ue.componentDidCatch=function(o,r){t.__&&t.__(o,r),n[1](o)}),[n[0],function(){return n[1]()}]}function Me(){var e=kt(ot++,11);if(!e.__){for(var t=ue.__v;!t.__m&&t.__;)t=t.__;var n=t.__m||(t.__m=[0,0]);e.__="P"+n[0]+"-"+n[1]++}return e.__}function up(){var e;do{for(;e=_s.shift();)try{hn(e)}catch(n){he.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=Ia.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(hn),t.__h.some(ws),t.__h=[]}catch(n){t.__h=[],he.__e(n,e.__v)}}}while(_s.length)}function pp(e){var t,n=function(){clearTimeout(o),Ca&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);Ca&&(t=requestAnimationFrame(n))}function Aa(e){e!=1&&wa==he.requestAnimationFrame||((wa=he.requestAnimationFrame)||pp)(up)}function hn(e){var t=ue,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),ue=t}function ws(e){var t=ue;e.__c=e.__(),ue=t}function Ss(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!xs(n,e[o])})}function Oa(e,t){return typeof t=="function"?t(e):t}var ot,ue,ys,wa,xs,gn,Ia,_s,he,va,ka,Sa,Ea,Ta,Ma,Ca,Na=E(()=>{bs();xs=Object.is,gn=0,Ia=[],_s=[],he=de,va=he.__b,ka=he.__r,Sa=he.diffed,Ea=he.__c,Ta=he.unmount,Ma=he.__;he.__b=function(e){ue=null,va&&va(e)},he.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Ma&&Ma(e,t)},he.__r=function(e){ka&&ka(e),ot=0;var t=(ue=e.__c).__H;t&&(ys==ue?ue.__h=[]:(t.__h.some(hn),t.__h.some(ws),ot=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),ys=ue},he.diffed=function(e){Sa&&Sa(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Aa(Ia.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),ys=ue=null},he.__c=function(e,t){t.some(function(n){try{n.__h.some(hn),n.__h=n.__h.filter(function(o){return!o.__||ws(o)})}catch(o){n.__h=[function(){throw o}]}}),Ea&&Ea(e,t)},he.unmount=function(e){Ta&&Ta(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(r){try{if(r.__P&&r.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}r.__P=n,Aa(_s.push(r))}else hn(r)}catch(s){t=s}}),o.__H=void 0,t&&he.__e(t,o.__v))};Ca=typeof requestAnimationFrame=="function"});var a,ee,v=E(()=>{bs();_a();Na();a=xa.bind(ua),ee=(...e)=>e.filter(Boolean).join(" ")});function Es(){let e=document.activeElement?.closest("main a[href]"),t=[...document.querySelectorAll(La)];return{top:window.scrollY,scrolls:new Map(t.filter(n=>n.scrollTop>0).map(n=>[n.ariaLabel??"",n.scrollTop])),href:e?.getAttribute("href")??""}}function Ra(e){bn();let t=performance.now()+3e3,n=0,o=["wheel","touchstart","keydown","pointerdown"];bn=()=>{cancelAnimationFrame(n);for(let s of o)window.removeEventListener(s,bn)};let r=()=>{[fp(e.top),...[...e.scrolls].map(([i,l])=>$p(i,l))].every(Boolean)&&mp(e.href)||performance.now()>t?bn():n=requestAnimationFrame(r)};for(let s of o)window.addEventListener(s,bn,{passive:!0});n=requestAnimationFrame(r)}function fp(e){return Math.abs(window.scrollY-e)>1&&window.scrollTo(0,e),Math.abs(window.scrollY-e)<=1}function $p(e,t){let o=[...document.querySelectorAll(La)].find(r=>r.ariaLabel===e);return o&&Math.abs(o.scrollTop-t)>1&&(o.scrollTop=t),!!o&&Math.abs(o.scrollTop-t)<=1}function mp(e){if(!e)return!0;let n=[...document.querySelectorAll("main a[href]")].find(o=>o.getAttribute("href")===e);return n?.focus({preventScroll:!0}),!!n}var La,bn,Da=E(()=>{La="main .virtual, main .table-scroll";bn=()=>{}});function Pa(){return{path:location.pathname,query:new URLSearchParams(location.search)}}function ja(){St=Pa();for(let e of Ms)e(St)}function qa(){let[e,t]=h(St);return _(()=>(Ms.add(t),t(St),()=>Ms.delete(t)),[]),e}function x(e,t={}){let[n,o]=e.split("?"),r=new URLSearchParams(o),s=t instanceof URLSearchParams?[...t]:Object.entries(t);for(let[l,c]of s)c===""||c===null||c===void 0||c===!1?r.delete(l):r.set(l,String(c));Z()&&!r.has(Ts)&&r.set(Ts,Z());let i=hp(r);return i?`${n}?${i}`:n}function hp(e){return e.toString().replaceAll("%3A",":").replaceAll("%2C",",").replaceAll("%2F","/")}function ce(e,{replace:t=!1}={}){let n=x(e);if(n===location.pathname+location.search)return;let o=n.split("?")[0]!==location.pathname;t||(Cs.set(zt,Es()),zt=String(Math.random())),history[t?"replaceState":"pushState"]({key:zt},"",n),ja(),o&&window.scrollTo(0,0)}function X(e,t){ce(x(St.path+location.search,e),t)}function Fa(e,t){let n=e.split("/"),o=t.replace(/(.)\/$/,"$1").split("/");if(n.length!==o.length)return null;let r={};for(let s=0;s<n.length;s+=1)if(n[s].startsWith(":"))r[n[s].slice(1)]=gp(o[s]);else if(n[s]!==o[s])return null;return r}function gp(e){try{return decodeURIComponent(e)}catch{return e}}function bp(e){Cs.set(zt,Es()),zt=e.state?.key??"",ja();let t=Cs.get(zt);t&&Ra(t)}function za(){window.addEventListener("popstate",bp),document.addEventListener("click",yp)}function yp(e){let t=e.target instanceof Element?e.target.closest("a[href]"):null;if(!(t instanceof HTMLAnchorElement)||e.defaultPrevented||e.button!==0||e.metaKey||e.ctrlKey||e.shiftKey||e.altKey||t.target||t.hasAttribute("download")||t.dataset.native!==void 0)return;let n=new URL(t.href);n.origin!==location.origin||n.hash||n.pathname==="/logout"||(e.preventDefault(),ce(n.pathname+n.search))}var Ts,Ms,St,Cs,zt,Ba,Z,Se,U=E(()=>{v();Da();Ts="journal",Ms=new Set,St=Pa(),Cs=new Map,zt=history.state?.key??"";Ba=()=>St,Z=()=>St.query.get(Ts)||"",Se=()=>Z().startsWith("import-")});function yn(e){try{return JSON.parse(localStorage.getItem(e)||"{}").fields||{}}catch{return{}}}function As(e,t){try{localStorage.setItem(e,JSON.stringify({at:Date.now(),fields:t}))}catch{}}function Is(e){try{localStorage.removeItem(e)}catch{}}function ao(e=!1){for(let t of Object.keys(localStorage).filter(n=>n.startsWith(Ha))){let{at:n=0}=JSON.parse(localStorage.getItem(t)||"{}");(e||Date.now()-n>xp)&&localStorage.removeItem(t)}}function io(e,t){let[n,o]=h(()=>({...t,...yn(e)}));return[n,s=>{o(i=>({...i,...s})),As(e,{...yn(e),...s})},()=>Is(e)]}var Ha,xp,ro,Ht=E(()=>{v();U();Ha="tallystick.draft.",xp=30*864e5,ro=(...e)=>Ha+JSON.stringify([Z(),...e])});function $e(e,t="plain"){let n=wp+=1;Ka([...lo,{id:n,text:e,tone:t}]),setTimeout(()=>Ka(lo.filter(o=>o.id!==n)),_p)}function Ka(e){lo=e;for(let t of Os)t(e)}function Ns(){let[e,t]=h(lo);return _(()=>(Os.add(t),()=>{Os.delete(t)}),[]),a`<div class="toasts" role="status" aria-live="polite">
    ${e.map(n=>a`<p key=${n.id} class=${`toast tone-${n.tone}`}>${n.text}</p>`)}
  </div>`}var _p,lo,wp,Os,Ut=E(()=>{v();_p=5e3,lo=[],wp=0,Os=new Set});function fe(e,t){let n=A({group:e,keys:{}});n.current={group:e,keys:Sp(t)},_(()=>(Et.push(n),Ga(),()=>{Et.splice(Et.indexOf(n),1),Ga()}),[])}function Ga(){for(let e of Ds)e(Symbol("keys"))}function Sp(e){return Object.fromEntries(Object.entries(e).filter(([,t])=>t))}function Xa(){let[,e]=h(null);return _(()=>(Ds.add(e),()=>{Ds.delete(e)}),[]),Ep()}function Ep(){let e=new Map;for(let{current:t}of Et){let n=e.get(t.group)||{};for(let[o,r]of Object.entries(t.keys))n[o]=r.label;e.set(t.group,n)}return[...e].map(([t,n])=>({group:t,keys:Object.entries(n)}))}function Qa(){let[e,t]=h(co);return _(()=>(Rs.add(t),()=>{Rs.delete(t)}),[]),e}function Ls(e){co=e;for(let t of Rs)t(e)}function wn(e){let t=e.target;return t instanceof HTMLElement&&(t.isContentEditable||t.matches("input:not([type=checkbox]):not([type=radio]), textarea, select"))}function Tp(e){return e.target instanceof HTMLElement&&e.target.matches("a[href], button, summary, input, [role=option]")}function Ja(e){for(let t=Et.length-1;t>=0;t-=1){let n=Et[t].current.keys[e];if(n)return n}return null}function Za(){document.addEventListener("keydown",Mp,!0),document.addEventListener("keyup",e=>_n&&!wn(e)&&e.key===" "&&e.preventDefault(),!0),document.addEventListener("pointerdown",()=>_n=!1,!0),document.addEventListener("keydown",Cp)}function Mp(e){if(wn(e)&&(_n=Ya(e),xn=0),!_n||wn(e))return;xn>0&&e.timeStamp-xn>kp||e.key==="Tab"||e.key==="Escape"?_n=!1:(Ya(e)||e.key==="Enter")&&(e.preventDefault(),e.stopPropagation(),xn||$e("The field in which you typed is gone. Shortcuts wait until you stop typing."),xn=e.timeStamp)}function Ya({key:e,target:t,ctrlKey:n,metaKey:o}){return e==="Enter"?t instanceof HTMLTextAreaElement&&!n&&!o:e.length===1&&!n&&!o||e==="Backspace"||e==="Dead"||e==="Process"}function Cp(e){if(e.defaultPrevented||e.isComposing||e.altKey)return;let t=(e.metaKey||e.ctrlKey?"Ctrl+":"")+(e.key===" "?"Space":e.key);if((t==="Enter"||t==="Space")&&Tp(e))return;let n=co&&Ja(`${co} ${t}`)||Ja(t);if(clearTimeout(Va),n&&(!wn(e)||n.typing)){Ls(""),e.preventDefault(),n.run(e);return}let o=s=>s.startsWith(`${t} `),r=!wn(e)&&Et.some(({current:s})=>Object.keys(s.keys).some(o));Ls(r?t:""),r&&(Va=setTimeout(()=>Ls(""),vp))}var vp,kp,Et,co,Va,Rs,Ds,_n,xn,Ae=E(()=>{v();Ut();vp=900,kp=1500,Et=[],co="",Va=0,Rs=new Set,Ds=new Set;_n=!1,xn=0});function ei(e){let t=Number(e);return String(t)===e?t:new Ee(e)}var Ee,dt=E(()=>{Ee=class{constructor(t){this.source=t,Object.freeze(this)}toString(){return this.source}valueOf(){return Number(this.source)}}});function vn(e){return Ap.test(e)?qs(e):JSON.parse(e)}function qs(e){let t=new js(e),n=t.value();if(t.at<e.length)throw new Tt("This is not JSON yet",t.at);return n}var Ap,Ps,ti,Ip,Tt,js,uo=E(()=>{dt();Ap=/(?:^|[\s[:,])-?(?:\d{16,}|\d+\.\d+(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|(?<=-)0)(?=[\s,\]}]|$)/,Ps=/[ \t\n\r]*/y,ti=/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y,Ip=[["true",!0],["false",!1],["null",null]];Tt=class extends SyntaxError{constructor(t,n){super(t),this.at=n}},js=class{constructor(t){this.text=t,this.at=0,this.space()}value(){let t=this.text[this.at];if(t==="{")return this.object();if(t==="[")return this.array();if(t==='"')return this.string();ti.lastIndex=this.at;let n=ti.exec(this.text);if(n)return this.past(n[0].length),ei(n[0]);for(let[o,r]of Ip)if(this.text.startsWith(o,this.at))return this.past(o.length),r;return this.wrong()}object(){let t={};if(this.past(1),this.took("}"))return t;do{let n=this.at;this.text[n]!=='"'&&this.wrong();let o=this.string();if(Object.hasOwn(t,o))throw new Tt(`The name ${JSON.stringify(o)} appears twice`,n);this.took(":")||this.wrong();let r=this.value();o==="__proto__"?Object.defineProperty(t,o,{value:r,enumerable:!0,configurable:!0,writable:!0}):t[o]=r}while(this.took(","));return this.took("}")?t:this.wrong()}array(){let t=[];if(this.past(1),this.took("]"))return t;do t.push(this.value());while(this.took(","));return this.took("]")?t:this.wrong()}string(){let t=this.at;do t=this.text.indexOf('"',t+1);while(t>0&&this.#e(t));if(t<0)return this.wrong();try{let n=JSON.parse(this.text.slice(this.at,t+1));return this.past(t+1-this.at),n}catch{return this.wrong()}}#e(t){let n=t;for(;this.text[n-1]==="\\";)n-=1;return(t-n)%2===1}took(t){return this.text[this.at]!==t?!1:(this.past(1),!0)}past(t){this.at+=t,this.space()}space(){this.text.charCodeAt(this.at)>32||(Ps.lastIndex=this.at,Ps.test(this.text),this.at=Ps.lastIndex)}wrong(){throw new Tt("This is not JSON yet",this.at)}}});function se(e,{indent:t=0,sorted:n=!1}={}){return ni(e,t?`
`:""," ".repeat(t),n)}function ni(e,t,n,o){if(e instanceof Ee)return e.source;if(typeof e!="object"||e===null)return JSON.stringify(e)??"null";let r=c=>ni(c,t&&t+n,n,o),[s,i]=Array.isArray(e)?"[]":"{}",l=Array.isArray(e)?e.map(r):Op(e,o).map(c=>`${JSON.stringify(c)}:${t&&" "}${r(e[c])}`);return l.length?s+l.map(c=>(t&&t+n)+c).join(",")+t+i:s+i}function Op(e,t){let n=Object.keys(e).filter(o=>e[o]!==void 0);return t?n.sort():n}var Le=E(()=>{dt()});function zs(){return Bs??=fetch("/session",{credentials:"same-origin"}).then(e=>e.ok?e.json():po).catch(()=>po).then(e=>({...po,...e})),Bs}async function ut(){Bs=null;let e=await zs();for(let t of Fs)t(e);return e}function Ie(){let[e,t]=h(po);return _(()=>(Fs.add(t),zs().then(t),()=>Fs.delete(t)),[]),e}var po,Bs,Fs,oi,Fe=E(()=>{v();po={person:!1,name:"",journal:"",scopes:[],csrf:"",may_decide:!1,version:"",needs_login:!1},Bs=null,Fs=new Set;oi=async()=>(await zs()).csrf});function T(e,t={},{signal:n,accept:o}={}){return si($o(e,t),o?{signal:n,headers:{Accept:o}}:{signal:n})}async function Te(e,t={},{key:n,params:o={}}={}){let r=typeof t=="string"?t:se(t),s={"Content-Type":typeof t=="string"?"application/x-ndjson":"application/json"},i=await oi();return i&&Object.assign(s,{"Tallystick-CSRF":i}),n&&Object.assign(s,{"Idempotency-Key":n}),si($o(e,o),{method:"POST",headers:s,body:r})}function $o(e,t={}){let n=new URLSearchParams;for(let[r,s]of Object.entries(t))for(let i of Array.isArray(s)?s:[s])i!==""&&i!==null&&i!==void 0&&i!==!1&&n.append(r,String(i));Z()&&!n.has("journal")&&n.set("journal",Z());let o=n.toString();return o?`${e}?${o}`:e}async function si(e,t){let n=await fetch(e,{credentials:"same-origin",...t}).catch(r=>{throw r.name==="AbortError"?r:new fo({detail:"The server cannot be reached.",hint:"Is `tallystick serve` still running?"})});if(n.ok)return n.status===204?null:vn(await n.text());n.status===401&&!e.startsWith("/login")&&location.pathname!=="/login"&&location.assign(`/login?next=${encodeURIComponent(location.pathname+location.search)}`);let o=await n.text().then(vn).catch(()=>({title:n.statusText}));throw new fo({status:n.status,...o})}var fo,G=E(()=>{uo();Le();U();Fe();fo=class extends Error{constructor(t){super(t.detail||t.title||"The server did not answer."),this.name="Problem",this.title=t.title||"",this.status=t.status||0,this.code=t.code||"",this.hint=t.hint||"",this.field=t.field||""}}});function ri(e,t,n){return navigator.locks?Np(e,t):Lp(t,n)}function Np(e,t){let n=new AbortController,o=()=>{},r=()=>new Promise(s=>(o=s,t()));return navigator.locks.request(e,{signal:n.signal},r).catch(()=>{}),()=>(n.abort(),o())}function Lp(e,t){let n=0,o=()=>{clearTimeout(n),document.hidden?n=setTimeout(t,5e3):e()};return document.addEventListener("visibilitychange",o),o(),()=>(clearTimeout(n),document.removeEventListener("visibilitychange",o))}var ai=E(()=>{});function qp(e){if(e!==Mt){Mt=e;for(let t of Us)t(e)}}function di(){ii(),Wt?.close(),Ws(),Kt=0;let e=`tallystick ${Z()}`;Wt=new BroadcastChannel(e),Wt.addEventListener("message",t=>ui(t.data)),Wt.postMessage({asks:ci}),ii=ri(e,()=>pt||Ks(),Ws)}function Ws(){pt?.close(),pt=null}function Ks(){Ws();let e=new EventSource($o("/events",Kt?{after:Kt}:{}));pt=e,e.addEventListener("open",()=>{mo=li,kn({state:"live",reset:!0})}),e.addEventListener("error",()=>{kn({state:e.readyState===EventSource.CLOSED?"offline":"connecting"}),!(e.readyState!==EventSource.CLOSED||pt!==e)&&(setTimeout(()=>pt===e&&Ks(),mo),mo=Math.min(mo*2,jp))});let t=n=>Number(n.lastEventId)||0;for(let n of Rp)e.addEventListener(n,o=>kn({seq:t(o),entry:o.data}));e.addEventListener("caught_up",n=>kn({seq:t(n)})),e.addEventListener("shorter",n=>kn({seq:t(n),shorter:!0,reset:!0}))}function kn(e){ui(e),Wt?.postMessage(e)}function ui({asks:e,to:t,state:n,reset:o,seq:r,shorter:s,entry:i}){if(t&&t!==ci)return;e&&pt&&Wt?.postMessage({to:e,state:Mt,reset:Mt==="live",seq:Kt}),r!==void 0&&(Kt=s?r:Math.max(Kt,r)),n&&qp(n);let l=i===void 0?null:vn(i);if(o||l)for(let c of Hs)c(l)}function pi(){window.addEventListener("online",()=>pt&&Mt!=="live"&&Ks())}function Re(e){let t=A(e);t.current=e,_(()=>{let n=o=>t.current(o);return Hs.add(n),()=>{Hs.delete(n)}},[])}function fi(){let[e,t]=h(Mt);return _(()=>(Us.add(t),t(Mt),()=>{Us.delete(t)}),[]),e}function D(e,t){let[n,o]=h({data:null,problem:null,loading:!0}),r=A({keys:e,load:t});r.current={keys:e,load:t};let s=A({timer:0,abort:null,busy:!1,next:0,due:!1}).current,i=be(async()=>{clearTimeout(s.timer),s.timer=0,s.abort?.abort();let c=new AbortController;s.abort=c,s.busy=!0,s.due=!1;let d=performance.now();try{let u=await r.current.load(c.signal);c.signal.aborted||o({data:u,problem:null,loading:!1})}catch(u){c.signal.aborted||o(p=>({...p,problem:u,loading:!1}))}c.signal.aborted||(s.busy=!1,s.next=performance.now()+Pp*(performance.now()-d),s.due&&l())},[]),l=be(()=>{s.due=!0,!(s.busy||s.timer||document.hidden||r.current.keys.paused)&&(s.timer=setTimeout(i,Math.max(Dp,s.next-performance.now())))},[]);return Re(c=>{(c===null||Bp(c,r.current.keys))&&l()}),ke(()=>{o({data:null,problem:null,loading:!0}),i()},e.by||[]),_(()=>{let c=()=>!document.hidden&&s.due&&l();return document.addEventListener("visibilitychange",c),()=>{document.removeEventListener("visibilitychange",c),clearTimeout(s.timer),s.abort?.abort()}},[]),_(()=>{!e.paused&&s.due&&l()},[e.paused]),{...n,reload:i}}function Bp(e,{kinds:t,execution:n}){return e.kind==="body_erased"?!0:n&&e.execution_id!==n&&e.id!==n?!1:!t||t.some(o=>e.kind===o||o.endsWith("_")&&e.kind.startsWith(o))}var Rp,Dp,Pp,jp,li,Hs,Us,ci,pt,Wt,ii,Mt,Kt,mo,te=E(()=>{G();v();uo();ai();U();Rp=["plan_recorded","plan_retired","task_recorded","session_opened","session_ended","session_noted","execution_started","execution_ended","action_begun","action_ended","action_doubted","action_noted","decision_recorded","context_recorded","approval_requested","approval_decided","body_erased","credential_added","credential_revoked","alert_silenced","webhook_added","webhook_rotated","webhook_tested","webhook_replayed","webhook_removed","unreadable"],Dp=30,Pp=2,jp=15e3,li=500,Hs=new Set,Us=new Set,ci=String(Math.random()),pt=null,Wt=null,ii=()=>{},Mt="connecting",Kt=0,mo=li});function k({name:e,label:t="",size:n=16}){let o=$i[e]||$i.planned;return a`
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
      ${o.map(r=>r.startsWith("f:")?a`<path d=${r.slice(2)} fill="currentColor" />`:a`<path d=${r} fill="none" stroke="currentColor" />`)}
    </svg>
  `}function ho({size:e=20}){return a`
    <svg class="mark" width=${e} height=${e} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path class="mark-half" d="M3 1.5h6v17H3z" />
      <path class="mark-half mark-other" d="M11 1.5h6v17h-6z" />
      <path class="mark-notch" d="M3 5.4h6M3 8.5h6M3 11.6h6M3 14.7h6M11 5.4h6M11 8.5h6M11 11.6h6M11 14.7h6" />
    </svg>
  `}var $i,oe=E(()=>{v();$i={running:["M8 1.75a6.25 6.25 0 1 1-4.42 1.83","f:M6.5 5.4v5.2L10.7 8z"],completed:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M5.2 8.2l2 2 3.7-4.2"],failed:["M5.4 1.75h5.2l3.65 3.65v5.2l-3.65 3.65H5.4L1.75 10.6V5.4z","M5.9 5.9l4.2 4.2M10.1 5.9l-4.2 4.2"],cancelled:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M3.7 12.3l8.6-8.6"],paused:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M6.4 5.6v4.8M9.6 5.6v4.8"],blocked:["M8 2a2.6 2.6 0 1 1 0 5.2A2.6 2.6 0 0 1 8 2z","M2.9 14c.3-2.9 2.3-4.6 5.1-4.6 1 0 1.9.2 2.7.6","M12.6 9.6v2.6l1.5 1"],unwinding:["M3 5.5h6.4a3.85 3.85 0 1 1 0 7.7H5","M5.8 2.6L2.9 5.5l2.9 2.9"],in_doubt:["M8 1.4L14.6 8 8 14.6 1.4 8z","M6.5 6.5c.1-1 .7-1.5 1.6-1.5.9 0 1.5.5 1.5 1.3 0 1.2-1.6 1.2-1.6 2.5","f:M7.3 10.3h1.4v1.3H7.3z"],skipped:["M2.5 4l5 4-5 4z","M8.5 4l5 4-5 4z"],planned:["M8 1.75a6.25 6.25 0 0 1 3.1.8M13.4 4.9a6.25 6.25 0 0 1 .8 3.1M13.4 11.1a6.25 6.25 0 0 1-2.3 2.3M8 14.25a6.25 6.25 0 0 1-3.1-.8M2.6 11.1A6.25 6.25 0 0 1 1.75 8M2.6 4.9a6.25 6.25 0 0 1 2.3-2.3"],unplanned:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M8 5.2v5.6M5.2 8h5.6"],owed:["M3 8h10","M6 4.5L2.5 8 6 11.5","M13.5 3v10"],late:["M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z","M8 4.6V8l2.4 1.6"],home:["M2.5 7.5L8 2.8l5.5 4.7","M4 6.5v7h8v-7"],executions:["M2.5 3.5h11M2.5 8h7M2.5 12.5h9"],approvals:["M2.5 9.5v3a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1v-3","M2.5 9.5h3l1 1.8h3l1-1.8h3L11.6 3H4.4z"],plans:["M2 3h3v3H2zM11 2h3v3h-3zM11 11h3v3h-3z","M5 4.5h3.2v8H11M8.2 3.6H11"],context:["M3 2.5h7.5L13 5v8.5H3z","M5.5 6.5h5M5.5 9h5M5.5 11.5h3"],stats:["M2.5 13.5h11","M4.5 11V8M8 11V3.5M11.5 11V6"],compare:["M6.5 2.5h-4v11h4M9.5 2.5h4v11h-4","M8 1.5v13"],replay:["M3.2 6A5.3 5.3 0 1 1 2.7 8.6","M2.6 2.8L3.1 6l3.2-.5"],import:["M8 2v7.5M5 6.7l3 3 3-3","M2.5 10.5v3h11v-3"],export:["M8 9.8V2.2M5 5l3-3 3 3","M2.5 10.5v3h11v-3"],journal:["M4 1.75h8.5v12.5H4a1.5 1.5 0 0 1 0-3h8.5M2.5 12.7V3.25A1.5 1.5 0 0 1 4 1.75","M5.7 5h4"],timeline:["M2 3.5h5M5 8h7M8.5 12.5H14"],graph:["M8 1.8v3M8 4.8H3.8v3M8 4.8h4.2v3","M2.2 7.8h3.2V11H2.2zM10.6 7.8h3.2V11h-3.2z"],table:["M2 3h12v10H2zM2 6.5h12M2 9.8h12M6.2 6.5V13"],coverage:["M1.5 8C3 5 5.3 3.5 8 3.5S13 5 14.5 8C13 11 10.7 12.5 8 12.5S3 11 1.5 8z","M8 6.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6z"],agent:["M3 5.5h10v7H3zM8 5.5V3","f:M7.2 1.6h1.6v1.6H7.2z","M6 8.3v1.4M10 8.3v1.4"],person:["M8 2a2.8 2.8 0 1 1 0 5.6A2.8 2.8 0 0 1 8 2z","M2.8 14c.4-3 2.4-4.7 5.2-4.7s4.8 1.7 5.2 4.7"],observed:["M1.5 8C3 5 5.3 3.5 8 3.5S13 5 14.5 8C13 11 10.7 12.5 8 12.5S3 11 1.5 8z","f:M8 6a2 2 0 1 1 0 4 2 2 0 0 1 0-4z"],claimed:["M2.5 3h11v7.5H8L5 13v-2.5H2.5z"],search:["M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z","M10.3 10.3l3.4 3.4"],filter:["M2 3.5h12L9.5 8.8v4L6.5 14V8.8z"],copy:["M5.5 5.5h8v8h-8z","M10.5 5.5v-3h-8v8h3"],check:["M3 8.5l3.2 3.2L13 4.6"],close:["M4 4l8 8M12 4l-8 8"],left:["M10 3.5L5.5 8l4.5 4.5"],right:["M6 3.5L10.5 8 6 12.5"],down:["M3.5 6L8 10.5 12.5 6"],up:["M3.5 10L8 5.5 12.5 10"],first:["M3 3v10","M13 8H6.5M9.3 5L6.3 8l3 3"],follow:["M8 2.5v8.5M4.5 7.8L8 11.3l3.5-3.5","M3 14h10"],link:["M6.7 9.3l2.6-2.6","M7.3 4.7l1.4-1.4a2.8 2.8 0 0 1 4 4l-1.4 1.4M8.7 11.3l-1.4 1.4a2.8 2.8 0 0 1-4-4l1.4-1.4"],save:["M3.5 2.5h9v11L8 10.2 3.5 13.5z"],more:["f:M2.6 7h2v2h-2zM7 7h2v2H7zM11.4 7h2v2h-2z"],settings:["M2 4.5h6M11.5 4.5H14M2 11.5h2.5M8 11.5h6","M9.75 2.75a1.75 1.75 0 1 1 0 3.5 1.75 1.75 0 0 1 0-3.5z","M6.25 9.75a1.75 1.75 0 1 1 0 3.5 1.75 1.75 0 0 1 0-3.5z"],zoomin:["M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z","M10.3 10.3l3.4 3.4M7 5v4M5 7h4"],zoomout:["M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z","M10.3 10.3l3.4 3.4M5 7h4"],fit:["M2 5V2h3M11 2h3v3M14 11v3h-3M5 14H2v-3"],warning:["M8 2L14.5 13.5h-13z","M8 6.5v3","f:M7.3 10.7h1.4V12H7.3z"],live:["f:M8 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z"],offline:["M8 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z"],group:["M2.5 3h11M5 6.5h8.5M2.5 10h11M5 13.5h8.5"],edit:["M2.8 13.2l.6-2.8 7.4-7.4 2.2 2.2-7.4 7.4z"],reply:["M6.5 4L2.5 8l4 4","M2.5 8h6.8c2.4 0 4.2 1.6 4.2 4.5"],bell:["M3.5 11.5h9l-1.2-1.8V7a3.3 3.3 0 0 0-6.6 0v2.7z","M6.7 13.7h2.6"],keyboard:["M1.5 4h13v8h-13z","M4 6.7h.01M6.7 6.7h.01M9.3 6.7h.01M12 6.7h.01M5.5 9.5h5"]}});function Ct(e){let[t,n,o]=Fp[e]||["idle","planned",e];return{tone:t,icon:n,word:o}}function K({state:e,word:t,quiet:n=!1}){let{tone:o,icon:r,word:s}=Ct(e);return a`<span class=${ee("status",`tone-${o}`,n&&"status-quiet")}>
    <${k} name=${r} /><span>${t||s}</span>
  </span>`}function ne({tone:e="plain",icon:t,title:n,children:o}){return a`<span class=${`badge tone-${e}`} title=${n}>
    ${t&&a`<${k} name=${t} size=${14} />`}<span>${o}</span>
  </span>`}function Xe({witness:e}){let t=e==="observed";return a`<span class=${`witness witness-${t?"observed":"claimed"}`} title=${t?"A hook, gateway or runner saw it":"The agent reported it"}>
    <${k} name=${t?"observed":"claimed"} size=${14} /><span>${e}</span>
  </span>`}var Fp,Vs=E(()=>{v();oe();Fp={running:["running","running","running"],open:["running","running","running"],paused:["idle","paused","paused"],blocked:["waiting","blocked","waiting for a person"],unwinding:["undo","unwinding","unwinding"],interrupted:["doubt","warning","interrupted"],waiting:["waiting","blocked","waiting for a person"],completed:["ok","completed","completed"],done:["ok","completed","done"],ok:["ok","completed","ok"],failed:["failed","failed","failed"],cancelled:["idle","cancelled","cancelled"],closed:["idle","check","closed"],skipped:["idle","skipped","skipped"],planned:["idle","planned","planned"],in_doubt:["doubt","in_doubt","in doubt"],doubted:["doubt","in_doubt","in doubt"],unknown:["doubt","in_doubt","in doubt"],unplanned:["plain","unplanned","unplanned"],not_undone:["undo","owed","not undone"],undoing:["running","unwinding","being undone"],partly:["doubt","owed","partly undone"],undone:["undo","unwinding","undone"],kept:["ok","check","kept"],not_possible:["idle","cancelled","cannot be undone"],may_be_undo:["plain","unplanned","may be an undo"],pending:["waiting","blocked","pending"],expired:["idle","late","expired"],approve:["ok","completed","accepted"],edit:["ok","edit","accepted with changes"],reject:["failed","failed","rejected"],respond:["ok","reply","answered"],used:["idle","check","used"],active:["ok","plans","active"],superseded:["idle","late","superseded"],archived:["idle","save","archived"],disabled:["failed","failed","disabled"]}});function w({kind:e="plain",icon:t,label:n,pressed:o,disabled:r=!1,type:s="button",class:i,children:l,onClick:c,...d}){let u=!l||Array.isArray(l)&&!l.length;return a`
    <button
      ...${d}
      type=${s}
      aria-disabled=${r?"true":null}
      onClick=${r?zp:c}
      class=${ee("button",`button-${e}`,u&&"button-icon",i)}
      aria-label=${u?n:d["aria-label"]}
      aria-pressed=${o===void 0?null:String(o)}
      title=${u?n:d.title}
    >
      ${t&&a`<${k} name=${t} />`}${l}
    </button>
  `}function ze({href:e,icon:t,kind:n="plain",class:o,children:r,...s}){return a`<a ...${s} href=${e} class=${ee("button",`button-${n}`,o)}>
    ${t&&a`<${k} name=${t} />`}${r}
  </a>`}function ae({label:e,value:t,choices:n,onChange:o}){return a`<div class="choice" role="group" aria-label=${e}>
    ${n.map(r=>{let[s,i]=Array.isArray(r)?r:[r,r];return a`<button type="button" aria-pressed=${String(s===t)} onClick=${()=>o(s)}>
        ${i}
      </button>`})}
  </div>`}var zp,He=E(()=>{v();oe();zp=e=>e.preventDefault()});async function Vt(e){try{return await navigator.clipboard.writeText(e),!0}catch{return!1}}function ge({text:e,what:t=""}){let[n,o]=h(""),r=async()=>{o(await Vt(e)?"copied":"cannot copy"),setTimeout(()=>o(""),1600)};return a`<span class="copy">
    <button type="button" class="button button-ghost button-icon" aria-label=${`Copy ${t||e}`} title=${`Copy ${t||e}`} onClick=${r}>
      <${k} name=${n==="copied"?"check":"copy"} />
    </button>
    <span class="copy-status" role="status">${n}</span>
  </span>`}function Ue({id:e,href:t}){return a`<span class="handle">
    ${t?a`<a href=${t}><code>${e}</code></a>`:a`<code>${e}</code>`}<${ge} text=${e} />
  </span>`}var Gt=E(()=>{v();oe()});function Qe({title:e,onClose:t,children:n,wide:o=!1,side:r=!1}){let s=A(null),i=Me();return _(()=>{let c=s.current;return c?.showModal(),()=>c?.close()},[]),a`<dialog
    ref=${s}
    class=${`dialog ${o?"dialog-wide":""} ${r?"dialog-side":""}`}
    aria-labelledby=${i}
    onCancel=${c=>(c.preventDefault(),t())}
    onClick=${c=>c.target===s.current&&t()}
  >
    <div class="dialog-box">
      <header class="dialog-head">
        <h2 id=${i}>${e}</h2>
        <${w} kind="ghost" icon="close" label="Close" onClick=${t} />
      </header>
      <div class="dialog-body">${n}</div>
    </div>
  </dialog>`}var mi=E(()=>{v();He()});function bi(e){return yi.test(e)&&e.length<gi?e?[e]:[]:e.split(Wp).map((t,n)=>n%2?Kp(t):t).filter(Boolean)}function Kp(e){if(e===`
`)return{mark:"↵",title:"a line break"};if(e[0]===" ")return{mark:`${e.length} spaces`,title:`${e.length} spaces, one after the other`};let t=[...e].map(o=>`U+${_i(o).toString(16).toUpperCase().padStart(4,"0")}`),n=t.slice(0,8).join(" ")+(t.length>8?" …":"");return{mark:_e(e),title:`${n}: would not be seen`}}function Vp(e){if(e==="\r")return"\\r";let t=_i(e);return t<256?`\\x${go(t,2)}`:t<65536?`\\u${go(t,4)}`:`\\U${go(t,8)}`}var hi,Gs,Js,gi,Hp,Up,Wp,yi,_e,xi,bo,_i,go,Gp,Oe,We=E(()=>{hi="\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Nkoo}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Tibt}",Gs=["(?<=[\\p{ExtPict}\\p{EMod}\\ufe0f])\\u200d(?=\\p{ExtPict})",`(?<=[${hi}])[\\u200c\\u200d](?=[${hi}])`,"(?<=\\p{ExtPict})[\\ufe0e\\ufe0f]","(?<=[0-9#*])\\ufe0f(?=\\u20e3)"].join("|"),Js="[\\p{C}\\p{DI}\\u2800\\p{Zl}\\p{Zp}]|(?! )\\p{Zs}",gi=40,Hp=new RegExp(`(?!${Gs})(?:${Js})`,"gu"),Up=new RegExp(`(?![\\n\\t]|${Gs})(?:${Js})`,"gu"),Wp=new RegExp(`((?:(?![\\n\\t]|${Gs})(?:${Js}))+|\\n| {${gi},})`,"gu");yi=/^[ -~]*$/;_e=e=>yi.test(e)?e:e.replace(Up,Vp),xi=e=>e.replace(Hp,t=>t===`
`?t:t.split("").map(n=>`\\u${go(n.charCodeAt(0),4)}`).join("")),bo=(e,t)=>e.slice(0,t).replace(/[\ud800-\udbff]$/,"");_i=e=>Number(e.codePointAt(0)),go=(e,t)=>e.toString(16).padStart(t,"0"),Gp=/^[\p{L}_$][\p{L}\p{N}_$-]*$/u,Oe=e=>Gp.test(e)?e:JSON.stringify(e)});function Ys(e,t){let n=0;for(;n<e.length&&n<t.length&&e[n]===t[n];)n+=1;let o=0,r=Math.min(e.length,t.length)-n;for(;o<r&&e[e.length-1-o]===t[t.length-1-o];)o+=1;let s=e.length-n-o,i=t.length-n-o,l=[];for(let c=0;c<n;c+=1)l.push({before:c,after:c});l.push(...s*i>1e6?Jp(n,s,i):Yp(e,t,n,s,i));for(let c=o;c>0;c-=1)l.push({before:e.length-c,after:t.length-c});return l}function Jp(e,t,n){let o=Array.from({length:t},(s,i)=>({before:e+i,after:-1})),r=Array.from({length:n},(s,i)=>({before:-1,after:e+i}));return[...o,...r]}function Yp(e,t,n,o,r){let s=r+1,i=new Uint32Array((o+1)*s);for(let u=o-1;u>=0;u-=1)for(let p=r-1;p>=0;p-=1){let f=u*s+p;i[f]=e[n+u]===t[n+p]?i[f+s+1]+1:Math.max(i[f+s],i[f+1])}let l=[],c=0,d=0;for(;c<o||d<r;){let u=c*s+d;c<o&&d<r&&e[n+c]===t[n+d]?(l.push({before:n+c,after:n+d}),c+=1,d+=1):c<o&&(d===r||i[u+s]>=i[u+1])?(l.push({before:n+c,after:-1}),c+=1):(l.push({before:-1,after:n+d}),d+=1)}return l}var wi=E(()=>{});function yo(e,t){let n=[];return Ei(En(e,t),[],n),n}function ki(e,t){let n=[];return Ti(En(e,t),0,"","",n),n}function Si(e,t=3){let n=new Uint8Array(e.length);e.forEach((r,s)=>{r.mark!==" "&&n.fill(1,Math.max(0,s-t),s+t+1)});let o=[];for(let r=0;r<e.length;r+=1){if(n[r]){o.push(e[r]);continue}let s=r;for(;s<e.length&&!n[s];)s+=1;s-r>2?o.push({folded:e.slice(r,s)}):o.push(...e.slice(r,s)),r=s-1}return o}function xo(e){return e.map(n=>{let o=typeof n=="number"?"":Oe(n);return o&&o===n?`.${o}`:`[${o||n}]`}).join("").replace(/^\./,"")||"(the whole value)"}function Qs(e,t){return Xs(e)===Xs(t)}function En(e,t,n=0){return Qs(e,t)?{kind:"same",before:e,after:t}:n>=Xp?{kind:"changed",before:e,after:t}:Array.isArray(e)&&Array.isArray(t)?{kind:"array",before:e,after:t,parts:Zp(e,t,n+1)}:Tn(e)&&Tn(t)?{kind:"object",before:e,after:t,parts:Qp(e,t,n+1)}:{kind:typeof e=="string"&&typeof t=="string"&&/\n/.test(e+t)?"text":"changed",before:e,after:t}}function Qp(e,t,n){let o=Object.keys(e),r=Object.keys(t).filter(s=>!Object.hasOwn(e,s));return[...o,...r].map(s=>Object.hasOwn(t,s)?Object.hasOwn(e,s)?{...En(e[s],t[s],n),key:s}:{kind:"added",key:s,after:t[s]}:{kind:"removed",key:s,before:e[s]})}function Zp(e,t,n){let o=["id","key","name"].find(c=>vi(e,c)&&vi(t,c)),r=c=>c.map(d=>o?d[o]:Xs(d)),s=[],i=[],l=()=>{for(let c of i)s.push({kind:"removed",key:c,before:e[c]});i=[]};for(let c of Ys(r(e),r(t)))c.after<0?i.push(c.before):c.before<0&&i.length&&!o?s.push({...En(e[Number(i.shift())],t[c.after],n),key:c.after}):c.before<0?(l(),s.push({kind:"added",key:c.after,after:t[c.after]})):(l(),s.push({...En(e[c.before],t[c.after],n),key:c.after}));return l(),s}function vi(e,t){let n=new Set(e.map(o=>Tn(o)&&typeof o[t]=="string"?o[t]:void 0));return e.length>0&&!n.has(void 0)&&n.size===e.length}function Ei(e,t,n){let o=e.key===void 0?t:[...t,e.key];e.parts?e.parts.forEach(r=>Ei(r,o,n)):e.kind==="added"?n.push({path:o,change:"added",after:e.after}):e.kind==="removed"?n.push({path:o,change:"removed",before:e.before}):e.kind!=="same"&&n.push({path:o,change:"changed",before:e.before,after:e.after})}function Ti(e,t,n,o,r){if(e.kind==="same")Sn(e.after," ",t,n,o,r);else if(e.kind==="removed")Sn(e.before,"-",t,n,o,r);else if(e.kind==="added")Sn(e.after,"+",t,n,o,r);else if(e.kind==="text")ef(e,t,n,o,r);else if(e.parts){let[s,i]=e.kind==="array"?"[]":"{}";r.push({mark:" ",depth:t,text:n+s}),e.parts.forEach((l,c,d)=>{let u=e.kind==="array"?"":`${JSON.stringify(l.key)}: `;Ti(l,t+1,u,c<d.length-1?",":"",r)}),r.push({mark:" ",depth:t,text:i+o})}else Sn(e.before,"-",t,n,o,r),Sn(e.after,"+",t,n,o,r)}function Sn(e,t,n,o,r,s){se(e,{indent:1}).split(`
`).forEach((l,c,d)=>{let u=l.length-l.trimStart().length,p=c===d.length-1;s.push({mark:t,depth:n+u,text:(c?"":o)+l.trimStart()+(p?r:"")})})}function ef(e,t,n,o,r){let s=e.before.split(`
`),i=e.after.split(`
`);r.push({mark:" ",depth:t,text:`${n}"""`});for(let l of Ys(s,i)){let c=l.after<0?"-":l.before<0?"+":" ";r.push({mark:c,depth:t+1,text:c==="-"?s[l.before]:i[l.after],within:!0})}r.push({mark:" ",depth:t,text:`"""${o}`})}function Xs(e){return e===void 0?"undefined":se(e,{sorted:!0})}function Tn(e){return typeof e=="object"&&e!==null&&!Array.isArray(e)&&!(e instanceof Ee)}var Xp,_o=E(()=>{dt();Le();We();wi();Xp=100});function m({text:e}){return e?a`<bdi class="written"><${ft} text=${e} /></bdi>`:null}function ft({text:e}){return bi(e).map(t=>typeof t=="string"?t:a`<span class="unseen" title=${t.title}>${t.mark}</span>`)}function De({text:e}){return e.split(`
`).map((t,n)=>a`${n?`
`:""}<${ft} text=${t} />`)}function Mi({text:e,cut:t=e.length}){let n=bo(e,t);if(!e.includes(`
`))return a`<bdi class="json-string">"<${ft} text=${n.replaceAll(/["\\]/g,"\\$&").replaceAll("	","\\t")} />${t<e.length?"":'"'}</bdi>`;let o=n.split(`
`);return a`<span class="json-brace">text, ${e.split(`
`).length} lines</span><span class="json-block">${o.map((r,s)=>a`<bdi class="json-text"><${ft} text=${r} />${s<o.length-1&&a`<span class="unseen line-end" title="a line break">↵</span>`}</bdi>`)}</span>`}var je=E(()=>{v();We()});function ie({value:e,label:t="value",raw:n=!1,whole:o=!1}){let[r,s]=h(n?"raw":"tree"),i=Ci(e),l=i&&Ze(e).length>of;return a`<div class="json">
    <div class="json-tools">
      ${l&&a`<${ae} label=${`How ${t} is shown`} value=${r} choices=${["tree","raw"]} onChange=${s} />`}
      <${ge} text=${typeof e=="string"?e:Ze(e)} what=${t} />
    </div>
    ${r==="raw"||!i?a`<${Yt} text=${typeof e=="string"?e:Ze(e)} />`:a`<div class=${l?"json-tree":"json-tree json-short"}><${sf} value=${e} whole=${o} /></div>`}
  </div>`}function Yt({text:e}){let[t,n]=h(!1),o=!t&&e.length>Jt*10;return a`<pre class="text" tabindex="0"><${De} text=${o?bo(e,Jt*10):e} />${o&&a`<button type="button" class="more" onClick=${()=>n(!0)}>… ${e.length-Jt*10} characters more</button>`}</pre>`}function sf({value:e,whole:t}){let n=Object.entries(e),o=t?-1/0:0;return!n.length||Array.isArray(e)?a`<${Ai} value=${e} depth=${o} />`:a`<${Ii} members=${n} depth=${o} flat />`}function Ai({name:e,value:t,depth:n}){let o=e===void 0?null:a`<bdi class="json-key"><${ft} text=${e} /></bdi>`;if(!Ci(t))return a`<div class="json-line">${o}<${Xt} value=${t} /></div>`;let r=Array.isArray(t),s=Object.entries(t);if(!s.length)return a`<div class="json-line">${o}<span class="json-brace">${r?"[ ]":"{ }"}</span></div>`;let i=`${s.length} ${r?s.length===1?"item":"items":s.length===1?"field":"fields"}`;return a`<details class="json-node" open=${n<nf}>
    <summary>${o}<span class="json-brace">${r?"[…]":"{…}"} ${i}</span></summary>
    <${Ii} members=${s} depth=${n} list=${r} />
  </details>`}function Ii({members:e,depth:t,flat:n=!1,list:o=!1}){let[r,s]=h(tf);return a`<div class=${n?null:"json-members"}>
    ${e.slice(0,r).map(([i,l])=>a`<${Ai} key=${i} name=${o?i:Oe(i)} value=${l} depth=${t+1} />`)}
    ${e.length>r&&a`<button type="button" class="more" onClick=${()=>s(r*10)}>… ${e.length-r} more</button>`}
  </div>`}function Xt({value:e}){let[t,n]=h(!1);if(typeof e!="string")return a`<span class=${`json-${e===null?"null":e instanceof Ee?"number":typeof e}`}>${String(e)}</span>`;let o=!t&&e.length>Jt;return a`<${Mi} text=${e} cut=${o?Jt:e.length} />${o&&a`<button type="button" class="more" onClick=${()=>n(!0)}>… ${e.length-Jt} more</button>`}`}var Jt,tf,nf,of,Ze,Ci,Mn=E(()=>{v();dt();Le();He();Gt();je();We();Jt=400,tf=100,nf=2,of=160;Ze=e=>e===void 0?"":se(e,{indent:2}),Ci=e=>typeof e=="object"&&e!==null&&!(e instanceof Ee)});function qe({before:e,after:t,titles:n=["before","after"]}){let o=yo(e,t),r=o.some(d=>typeof d.before=="string"&&d.before.includes(`
`)),[s,i]=h(""),l=s||(r?"lines":"fields");if(!o.length)return a`<p class="soft">No difference.</p>`;let c=`Difference between ${n[0]} and ${n[1]}`;return a`<div class="diff">
    <div class="diff-head">
      <span class="soft">${rf(o)}</span>
      <${ae} label="How the difference is shown" value=${l} choices=${["fields","lines"]} onChange=${i} />
    </div>
    <div class="diff-body" role="group" aria-label=${c} tabindex="0">
      ${l==="fields"?a`<${af} found=${o} titles=${n} />`:a`<${cf} before=${e} after=${t} titles=${n} />`}
    </div>
  </div>`}function rf(e){let t=n=>e.filter(o=>o.change===n).length;return["changed","added","removed"].filter(t).map(n=>`${t(n)} ${n}`).join(", ")}function af({found:e,titles:t}){let n=e.map(o=>({path:o.path.length?xo(o.path):"value",kind:o.change,before:o.before,after:o.after}));return a`<${wo} rows=${n} titles=${t} />`}function wo({rows:e,titles:t,words:n={}}){return a`<table class="diff-table">
    <thead>
      <tr><th scope="col">field</th><th scope="col">${t[0]}</th><th scope="col">${t[1]}</th></tr>
    </thead>
    <tbody>
      ${e.map(o=>a`<tr key=${o.path}>
        <th scope="row"><code><${m} text=${o.path} /></code><span class="diff-kind">${n[o.kind]??o.kind}</span></th>
        <td>${o.kind==="added"?a`<span class="faint">–</span>`:a`<del><${Oi} value=${o.before} /></del>`}</td>
        <td>${o.kind==="removed"?a`<span class="faint">–</span>`:a`<ins><${Oi} value=${o.after} /></ins>`}</td>
      </tr>`)}
    </tbody>
  </table>`}function Oi({value:e}){return typeof e=="string"?a`<${Xt} value=${e} />`:a`<${De} text=${Ze(e)} />`}function cf({before:e,after:t,titles:n}){let[o,r]=h([]),s=Si(ki(e,t));return a`<p class="visually-hidden">Lines that begin with a minus are only in ${n[0]}, those with a plus only in ${n[1]}.</p>
    <pre class="diff-lines">${s.map((i,l)=>"folded"in i?o.includes(l)?i.folded.map(c=>a`<${Ni} line=${c} />`):a`<button type="button" class="diff-fold" onClick=${()=>r([...o,l])}>${i.folded.length} unchanged lines</button>`:a`<${Ni} line=${i} />`)}</pre>`}function Ni({line:e}){let t=a`${`${e.mark} ${"  ".repeat(e.depth)}${e.within?"│ ":""}`}<bdi><${ft} text=${e.text} /></bdi>${`
`}`;return e.mark==="-"?a`<del class="diff-line diff-removed">${t}</del>`:e.mark==="+"?a`<ins class="diff-line diff-added">${t}</ins>`:a`<span class=${`diff-line diff-${lf[e.mark]}`}>${t}</span>`}var lf,Zs=E(()=>{_o();v();He();Mn();je();lf={" ":"kept","-":"removed","+":"added"}});function Be({keys:e}){return a`<span class="kbd-row">
    ${e.split(" ").map(t=>a`<kbd class="kbd">${df[t]||t}</kbd>`)}
  </span>`}var df,Li=E(()=>{v();df={ArrowDown:"↓",ArrowUp:"↑",ArrowLeft:"←",ArrowRight:"→",Escape:"Esc",Enter:"⏎"}});function st({label:e,icon:t,word:n,children:o,kind:r="plain",end:s=!1}){let[i,l]=h(!1),c=A(null),d=Me();_(()=>{if(!i)return;let p=f=>{let $=f instanceof KeyboardEvent?f.key:"";$&&$!=="Escape"||!$&&f.target instanceof Node&&c.current?.contains(f.target)||(l(!1),$&&(f.preventDefault(),c.current?.querySelector("button")?.focus()))};return document.addEventListener("pointerdown",p),document.addEventListener("keydown",p,!0),()=>{document.removeEventListener("pointerdown",p),document.removeEventListener("keydown",p,!0)}},[i]);let u=p=>{p.target instanceof Element&&p.target.closest("[data-close], a[href]")&&l(!1)};return a`<div class="menu" ref=${c}>
    <button
      type="button"
      class=${`button button-${r} ${n?"":"button-icon"}`}
      aria-label=${n?null:e}
      title=${e}
      aria-expanded=${String(i)}
      aria-controls=${d}
      onClick=${()=>l(!i)}
    >
      ${t&&a`<${k} name=${t} />`}${n}
    </button>
    <div id=${d} class=${`menu-box ${s?"menu-end":""}`} hidden=${!i} onClick=${u}>${i&&o}</div>
  </div>`}var Ri=E(()=>{v();oe()});function R({title:e,level:t=2,actions:n,class:o,flush:r=!1,children:s,...i}){return a`<section ...${i} class=${ee("panel",r&&"panel-flush",o)}>
    ${(e||n)&&a`<header class="panel-head">
      ${e&&a`<${`h${t}`} class="panel-title">${e}</${`h${t}`}>`}
      ${n&&a`<div class="panel-actions">${n}</div>`}
    </header>`}
    <div class="panel-body">${s}</div>
  </section>`}function z({icon:e="planned",title:t,children:n}){return a`<div class="empty">
    <${k} name=${e} size=${24} />
    <p class="empty-title">${t}</p>
    ${n&&a`<div class="empty-body">${n}</div>`}
  </div>`}function L({problem:e,retry:t}){return e?a`<div class="problem" role="alert">
    <${k} name="warning" />
    <div>
      <p>${e.message}</p>
      ${e.hint&&a`<p class="soft">${e.hint}</p>`}
    </div>
    ${t&&a`<button type="button" class="button button-plain" onClick=${t}>Try again</button>`}
  </div>`:null}function H({what:e="Loading"}){return a`<p class="loading" role="status">${e}…</p>`}function Ne({rows:e}){return a`<dl class="facts">
    ${e.filter(t=>Array.isArray(t)&&t[1]!==""&&t[1]!==void 0&&t[1]!==null).map(t=>a`<div><dt>${t[0]}</dt><dd>${t[1]}</dd></div>`)}
  </dl>`}var Di=E(()=>{v();oe()});function Ke({label:e,value:t,onChange:n,onEnter:o,placeholder:r="",children:s}){let[i,l]=h(t),c=A(t),d=A(0),u=A(null);_(()=>{t!==c.current&&(c.current=t,l(t))},[t]);let p=g=>{clearTimeout(d.current),c.current=g,n(g)},f=g=>{l(g),clearTimeout(d.current),d.current=setTimeout(()=>p(g),uf)};return a`<div class="search" role="search">
    <${k} name="search" />
    <input
      ref=${u}
      type="search"
      aria-label=${e}
      placeholder=${r}
      value=${i}
      spellcheck="false"
      autocomplete="off"
      data-search
      onInput=${g=>f(g.target.value)}
      onKeyDown=${g=>{(g.key==="Enter"||g.key==="ArrowDown")&&(p(i),o&&(g.preventDefault(),u.current?.blur(),o())),g.key==="Escape"&&(i?(l(""),p("")):u.current?.blur())}}
    />
    ${s}
  </div>`}function er(){let e=document.querySelector("main [data-search]");e?.focus(),e?.select()}var uf,Pi=E(()=>{v();oe();uf=250});function At({label:e,columns:t,rows:n,id:o,selected:r,onSelect:s}){return a`<div class="table-scroll" tabindex="0" role="region" aria-label=${e}>
    <table class="table">
      <thead>
        <tr>${t.map(i=>a`<th scope="col" class=${i.class}>${i.title}</th>`)}</tr>
      </thead>
      <tbody>
        ${n.map(i=>a`<tr
            key=${o(i)}
            class=${s?"row-link":null}
            aria-selected=${r===void 0?null:String(o(i)===r)}
            onClick=${s?()=>s(i):null}
          >
            ${t.map(l=>a`<td class=${l.class}>${l.cell(i)}</td>`)}
          </tr>`)}
      </tbody>
    </table>
  </div>`}var ji=E(()=>{v()});function Cn({label:e,tabs:t,value:n,href:o=r=>x(location.pathname+location.search,{tab:r})}){let r=A(null);return _(()=>{r.current?.querySelector("[aria-current]")?.scrollIntoView({block:"nearest",inline:"nearest"})},[n]),a`<nav class="tabs" aria-label=${e} ref=${r} onKeyDown=${i=>{let l={ArrowRight:1,ArrowLeft:-1}[i.key];if(!l||!r.current)return;let c=[...r.current.querySelectorAll("a")];c[(c.indexOf(document.activeElement)+l+c.length)%c.length].focus(),i.preventDefault()}}>
    ${t.map(i=>a`<a href=${o(i.id)} class="tab" aria-current=${i.id===n?"page":null}>
        ${i.title}
        ${i.count?a`<span class=${`tab-count tone-${i.tone||"plain"}`}>${i.count}</span>`:null}
      </a>`)}
  </nav>`}var qi=E(()=>{v();U()});function It({row:e,steps:t,running:n=!1,failed:o=!1}){let{done:r,undone:s,skipped:i,total:l}=tr(e),c=[...Array(r-s).fill("done"),...Array(s).fill("undone"),...Array(i).fill("skipped")],d=t||Array.from({length:Math.min(l,Bi+1)},(f,$)=>c[$]??pf($-c.length,n,o)),u=t?t.length:l,p=Fi(e);return u?a`<span class="tally" role="img" aria-label=${p} title=${p}>
    ${u>Bi?a`<span class="tally-bar"><span style=${{width:`${100*(r+i)/u}%`}}></span></span>`:d.map((f,$)=>a`<i class=${ee("notch",`notch-${f}`,$%5===4&&"notch-fifth")}></i>`)}
  </span>`:a`<span class="tally-none">ad hoc</span>`}function Fi(e){let{done:t,undone:n,skipped:o,total:r}=tr(e),s=n?`, of which ${n} undone`:"";return o?`${t} done${s}, ${o} skipped of ${r} steps`:`${t} of ${r} steps done${s}`}function rt(e){let{done:t,undone:n,skipped:o,total:r}=tr(e),s=[n&&`${n} undone`,o&&`${o} skipped`].filter(Boolean);return`${t}/${r}${s.length?` (${s.join(", ")})`:""}`}function tr(e){return{done:e.done_steps??0,undone:e.undone_steps??0,skipped:e.skipped_steps??0,total:e.total_steps??0}}function pf(e,t,n){return e?"planned":n?"failed":t?"running":"planned"}var Bi,nr=E(()=>{v();Bi=40});function vo(e){let t=localStorage.getItem(`tallystick.${e}`)||"",n=An[e];return n.includes(t)?t:n[0]}function sr(e,t){localStorage.setItem(`tallystick.${e}`,t),document.documentElement.dataset[e]=t;for(let n of or)n(Symbol(e))}function ye(e){let[,t]=h(null);return _(()=>(or.add(t),()=>{or.delete(t)}),[]),vo(e)}function zi(){window.addEventListener("storage",e=>{let t=e.key?.replace("tallystick.","");t&&t in An&&sr(t,vo(t))})}var An,or,et=E(()=>{v();An={theme:["system","light","dark"],density:["compact","comfortable"],time:["relative","absolute"],zone:["local","utc"]},or=new Set});function we(){let[e,t]=h(()=>Date.now());return _(()=>(ko.add(t),rr||=setInterval(()=>!document.hidden&&ko.forEach(n=>n(Date.now())),ff),()=>{ko.delete(t),ko.size||(rr=void clearInterval(rr))}),[]),e}function pe(e,t=2){if(e<-$f)return"–";let n=Math.max(0,e);if(n<1e3)return`${Math.round(n)} ms`;if(n<1e4&&t>1)return`${(n/1e3).toFixed(1).replace(".0","")} s`;let o=Math.round(n/1e3),r=[];for(let[s,i]of mf){let l=Math.floor(o/s);if(o-=l*s,l&&r.push(`${l} ${i}`),r.length&&!l||r.length===t)break}return r.join(" ")}function Qt(e,t){let n=new Date(e);return Number.isNaN(n.getTime())?String(e):bf[t==="utc"?"utc":"local"].format(n)}function In(e,t){let n=new Date(e);return(n.toDateString()===new Date().toDateString()?hf:gf)[t==="utc"?"utc":"local"].format(n)}function tt(){return ye("zone")==="utc"?"UTC":Intl.DateTimeFormat().resolvedOptions().timeZone}function N({at:e,lead:t="",tail:n=" ago",form:o}){let r=ye("time"),s=ye("zone");return e?a`<time class="time" dateTime=${e} title=${Qt(e,s)}>
    ${(o||r)==="absolute"?In(e,s):a`<${yf} at=${e} lead=${t} tail=${n} />`}
  </time>`:a`<span class="faint">–</span>`}function yf({at:e,lead:t,tail:n}){let o=we()-Date.parse(e);return o<1500&&!t?"now":`${t}${pe(Math.max(o,1e3),1)}${t?"":n}`}function $t({from:e,to:t}){return t?a`<span class="num">${pe(Date.parse(t)-Date.parse(e))}</span>`:a`<${xf} from=${e} />`}function xf({from:e}){return a`<span class="num">${pe(we()-Date.parse(e))}</span>`}var ff,$f,mf,ko,rr,ar,ir,hf,gf,bf,mt=E(()=>{v();et();ff=1e3,$f=3e5,mf=[[86400,"d"],[3600,"h"],[60,"min"],[1,"s"]],ko=new Set,rr=0;ar=e=>({local:new Intl.DateTimeFormat("en-GB",e),utc:new Intl.DateTimeFormat("en-GB",{...e,timeZone:"UTC"})}),ir={hour:"2-digit",minute:"2-digit",second:"2-digit"},hf=ar(ir),gf=ar({day:"numeric",month:"short",...ir}),bf=ar({dateStyle:void 0,year:"numeric",month:"short",day:"numeric",...ir,fractionalSecondDigits:3,timeZoneName:"short"})});function Ot({rows:e,height:t,row:n,looks:o,label:r,selected:s=-1,atEnd:i=!1,onEnd:l,onNear:c,onRange:d,head:u,role:p="list",outer:f="region"}){let $=A(null),[g,b]=h({top:0,room:800}),C=A(!1),M=A(new Map),y=be(()=>{let q=$.current;q&&b(W=>{let J=Math.floor(q.scrollTop/t)*t;return W.top===J&&W.room===q.clientHeight?W:{top:J,room:q.clientHeight}})},[t]);ke(()=>{let q=$.current;if(!q)return;let W=new ResizeObserver(y);return W.observe(q),y(),()=>W.disconnect()},[y]),ke(()=>{!i||!$.current||(C.current=!0,$.current.scrollTop=$.current.scrollHeight)},[i,e.length]),ke(()=>{let q=$.current;if(s<0||!q)return;let W=s*t;W<q.scrollTop?q.scrollTop=W:W+t*2>q.scrollTop+q.clientHeight&&(q.scrollTop=W+t*2-q.clientHeight)},[s,t]);let S=()=>{y();let q=$.current,W=q.scrollTop+q.clientHeight>=q.scrollHeight-t;C.current||l?.(W),C.current=!1},I=Math.max(0,Math.floor(g.top/t)-Hi),V=Math.min(e.length,Math.ceil((g.top+g.room)/t)+Hi);_(()=>{c&&V>=e.length&&c()},[V,e.length]),_(()=>d?.(I,V),[I,V,d]);let j=new Map,O=(q,W)=>{let J=o?.(q,W),re=M.current.get(q),B=re&&re.looks===J?re:{looks:J,row:n(q,W)};return J!==void 0&&j.set(q,B),B.row},P=e.slice(I,V).map((q,W)=>O(q,I+W));return M.current=j,a`<div class="virtual" ref=${$} onScroll=${S} tabindex="0" role=${f} aria-label=${r} aria-rowcount=${f==="table"?e.length+1:null}>
    ${u}
    <div class="virtual-all" role=${p} style=${{height:`${e.length*t}px`}}>
      <div class="virtual-seen" role="presentation" style=${{transform:`translateY(${I*t}px)`}}>
        ${P}
      </div>
    </div>
  </div>`}var Hi,Ui=E(()=>{v();Hi=12});var F=E(()=>{Vs();He();Gt();mi();Zs();Mn();Li();Ri();Di();Pi();ji();qi();nr();je();We();mt();Ut();Ui()});function ht(){let e=Ie(),[t,n]=h([]);_(()=>{let r=()=>document.hidden||T("/v1/journals").then(i=>n(l=>kf(l,i.journals)?l:i.journals),()=>{});r();let s=setInterval(r,vf);return()=>clearInterval(s)},[]);let o=Z()||e.journal;return{shown:o,others:t.filter(r=>r!==o)}}var vf,kf,On=E(()=>{G();v();U();Fe();vf=5e3;kf=(e,t)=>e.length===t.length&&e.every((n,o)=>n===t[o])});function gt(){let[e,t]=h(Sf),{shown:n}=ht();_(()=>{lr||=T("/clients"),lr.then(t,()=>lr=null)},[]);let o=Ve(e.command),r=e.store?` --url ${Ve(e.store)}`:"";return{clients:e.clients,setup:`${e.store?`TALLYSTICK_URL=${Ve(e.store)} `:""}${o} setup`,commandLine:s=>`${o} ${s}${r} --journal ${Ve(n)}`}}var Sf,lr,Ve,Zt=E(()=>{G();v();On();Sf={clients:[],command:"tallystick",store:""},lr=null;Ve=e=>/^[\w@%+=:,./-]+$/.test(e)?e:`'${e.replaceAll("'",`'"'"'`)}'`});function Vi(e,t,{reason:n="",answer:o="",text:r=""}={}){let s={verdict:t,...n.trim()?{reason:n.trim()}:{}};if(t==="respond")return o.trim()?{body:{...s,answer:o.trim()}}:{problem:"Enter an answer for the agent.",field:"answer"};if(t!=="edit")return{body:s};let i=cr(r);return"problem"in i?{problem:i.problem,field:"arguments"}:Qs(i.value,e.arguments??{})?{problem:"The arguments are unchanged. To grant the call as asked, choose Accept.",field:"arguments"}:{body:{...s,arguments:i.value}}}function cr(e){let t;try{t=qs(e)}catch(n){return Ef(e,n)}return Tn(t)?{value:t}:{problem:"Arguments must be a JSON object: begin with { and end with }.",line:1}}function Ef(e,t){if(!(t instanceof Tt))return{problem:"The arguments are nested too deep.",line:1};let n=e.slice(0,t.at).split(`
`).length;return{problem:`${e.trim()?t.message:"Arguments are missing"}. Check line ${n}.`,line:n}}function Eo(e,t){return t&&t.status==="expired"?"Too late: the question has expired. Nothing was granted, and the agent has to ask again.":t&&t.status==="closed"?"Too late: its execution has ended. Nothing was granted.":t&&t.status!=="pending"?`The question was already answered${t.decided_by?` by ${t.decided_by}`:t.answered_in?` in ${t.answered_in}`:""}: ${Nt(t.status)}. Your answer was not used.`:e.code==="not_permitted"||e.status===403?"You are not logged in as a person who may decide. Your answer is kept: enter a credential, and send it again.":[e.message,e.hint].filter(Boolean).join(" ")}function Nt(e){return e==="used"?"accepted, and used":e in Nn?Nn[e].past.toLowerCase():e}var Nn,en=E(()=>{_o();uo();Nn={approve:{verb:"Accept",past:"Accepted",key:"a"},edit:{verb:"Edit",past:"Accepted with other arguments",key:"e"},reject:{verb:"Reject",past:"Rejected",key:"r"},respond:{verb:"Respond",past:"Answered",key:"m"}}});function To({get:e,post:t}){return async(n,o,r)=>{let s=`/v1/approvals/${encodeURIComponent(n)}`;try{let i=await t(`${s}/decision`,o,{key:r});return{id:n,ok:!0,status:i.status,problem:""}}catch(i){let l=await e(s).catch(()=>null),{status:c}=i;return{id:n,ok:!1,status:l?.status??"",problem:Eo(i,l),refused:c===401||c===403}}}}var tn,Ln=E(()=>{en();tn=()=>`page-${crypto.randomUUID?.()??[...crypto.getRandomValues(new Uint32Array(4))].join("-")}`});async function Cf(e){let n=(await Promise.all(Mf.map(r=>T("/v1/entries",{kind:r,newest_first:!0,limit:Tf},{signal:e})))).flatMap(r=>r.entries).toSorted((r,s)=>r.seq-s.seq),o=new Set;for(let{kind:r,facts:s}of n)r==="credential_added"&&s.scopes?.includes("approve")&&!(s.expires&&Af(s.expires))?o.add(s.name):o.delete(s.name);return[...o]}function Gi(){let{data:e}=D({kinds:["credential_"]},t=>Cf(t).catch(()=>[]));return e?e.length?a`<p class="soft who-may">May decide: ${e.map((t,n)=>a`${n?", ":""}<strong><${m} text=${t} /></strong>`)}.</p>`:a`<p class="soft who-may">No one here is known to hold a credential with the scope <code>approve</code>.</p>`:null}var Tf,Mf,Af,Ji=E(()=>{G();v();te();je();Tf=200,Mf=["credential_added","credential_revoked"];Af=e=>(typeof e=="number"?e/1e3:Date.parse(e))<=Date.now()});function Ge({onDone:e,scope:t="approve"}){let[n,o]=h(""),[r,s]=h(""),[i,l]=h(!1),c=A(null),[d,u]=h(!1),p=Me(),f=gt().commandLine("credential add NAME");return a`<form class="credential" ref=${c} onSubmit=${async g=>{g.preventDefault(),l(!0);let b=n,C=await Te("/login",{token:b.trim()}).then(()=>"",Of),M=C?null:await ut();l(!1),o(y=>y===b?"":y),M&&(t==="approve"?M.may_decide:M.scopes.includes(t))?e?.():(s(C||`This credential ${t==="approve"?"may not decide: it ":""}lacks the scope “${t}”.`),c.current?.contains(document.activeElement)&&document.getElementById(p)?.focus())}} aria-labelledby=${`${p}-title`}>
    <h2 id=${`${p}-title`} class="visually-hidden">Who are you?</h2>
    <div class="credential-row">
      <label class="field" for=${p}>
        <span>Credential <span class="faint">${If[t]}</span></span>
        <input
          id=${p} type="password" autocomplete="current-password" spellcheck="false" required value=${n}
          placeholder="ts_…" aria-describedby=${`${p}-problem`} aria-invalid=${r?"true":null}
          onInput=${g=>(o(g.target.value),s(""))}
        />
      </label>
      <${w} kind="primary" type="submit" disabled=${i||!n.trim()}>Use it in this session<//>
    </div>
    <p id=${`${p}-problem`} class="field-problem" role="alert">${r}</p>
    <details class="credential-how" onToggle=${g=>u(g.target.open)}>
      <summary>${t==="approve"?"I have none: who may decide?":"I have none"}</summary>
      ${d&&t==="approve"&&a`<${Gi} />`}
      <p class="soft">The operator of this server can create one. It is shown once:</p>
      <span class="command"><code>${f}</code><${ge} text=${f} what="the command" /></span>
    </details>
  </form>`}function Of(e){return e.status===401||e.status===403?"This credential is unknown or no longer valid.":e.message}var If,nn=E(()=>{Ji();G();v();Fe();Zt();He();Gt();If={approve:"Deciding needs an approver’s credential. An agent’s token can never do it.",admin:"This needs a credential with the scope “admin”. An agent’s token can never do it."}});function Je(e,t,n){let o=URL.createObjectURL(new Blob(Array.isArray(t)?t:[t],{type:n})),r=Object.assign(document.createElement("a"),{href:o,download:Xf(e)});document.body.append(r),r.click(),r.remove(),setTimeout(()=>URL.revokeObjectURL(o),6e4)}function Xf(e){return e.normalize("NFKC").replaceAll(/[^\p{L}\p{N}._ -]+/gu,"-").replace(/^[.\s-]+/,"").slice(0,120)||"tallystick"}var Fn=E(()=>{});function Oo(e){let[t,n]=h({library:null,problem:null});if(_(()=>{e().then(o=>n({library:o,problem:null}),o=>n({library:null,problem:o}))},[e]),t.problem)throw t.problem;return t.library}var xl,_l,mr=E(()=>{v();xl=()=>import("./dagre-72RP2Z24.js"),_l=()=>import("./uplot-2LURMCIS.js").then(e=>e.default)});function Wl(e){let[t,n]=h({lines:[],complete:!1,problem:null}),o=A([]),r=A(new Set),s=A(0),i=A(0),l=(p,f=!0)=>{o.current=p,n({lines:p,complete:f,problem:null})},c=async()=>{let p=i.current+=1,f=[],$="";do{let g=await T("/v1/actions",{execution_id:e,limit:Ul,cursor:$});if(p!==i.current)return;f=f.concat(g.actions),$=g.next_cursor||"",$&&f.length>o.current.length&&l(f,!1)}while($);l(f)},d=async()=>{s.current=0;let p=[...r.current];r.current.clear();let f=o.current;if(!f.length||p.length>P$||p.includes("*"))return c();let $=i.current,g=await T("/v1/actions",{execution_id:e,limit:Ul,cursor:f[f.length-1].id}),b=new Set(f.map(y=>y.id)),C=await Promise.all(p.filter(y=>b.has(y)).map(y=>T(`/v1/actions/${y}`)));if($!==i.current)return;if(g.next_cursor)return c();let M=new Map(C.map(y=>[y.id,y]));l([...f.map(y=>M.has(y.id)?B$(y,M.get(y.id)):y),...g.actions])},u=p=>p().catch(f=>n($=>({...$,problem:f})));return _(()=>(o.current=[],n({lines:[],complete:!1,problem:null}),u(c),()=>{i.current+=1,clearTimeout(s.current),s.current=0}),[e]),Re(p=>{let f=!p||q$.has(p.kind);!f&&p.execution_id!==e||(r.current.add(f?"*":p.id),s.current||=setTimeout(()=>u(d),j$))}),t}function B$(e,t){let{state:n,ended:o,lost:r,undo_state:s,undone_by:i,attempt:l}=t;return{...e,state:n,ended:o,lost:r,undo_state:s,undone_by:i,attempt:l}}var Ul,P$,j$,q$,Kl,br=E(()=>{G();v();te();Ul=2e3,P$=12,j$=60,q$=new Set(["session_ended","body_erased"]);Kl=e=>e.summary||e.tool||e.step||e.id});function Do(){let[e,t]=h(""),{shown:n,others:o}=ht(),{clients:r,setup:s,commandLine:i}=gt(),l=[...new Set(r.map(d=>d.client))],c=r.filter(d=>d.client===(e||l[0]));return a`<div class="page first-steps">
    <header class="first-steps-head">
      <${ho} size=${40} />
      <h1>Nothing is recorded yet</h1>
      <p class="soft">Plans, actions, decisions and undo lists appear here as soon as they are recorded. The page updates itself.</p>
      <p class="first-steps-wait" role="status"><span class="pulse"></span>Waiting for the first entry in <code>${n}</code>…</p>
      ${o.length>0&&a`<p role="status">Each project has its own journal. Journals with entries:
        ${o.slice(0,vr).map((d,u)=>a`${u?", ":" "}<a href=${`/?journal=${encodeURIComponent(d)}`}>${d}</a>`)}${o.length>vr?` and ${o.length-vr} more`:""}.</p>`}
    </header>
    <div class="first-steps-ways">
      <${R} title="1. Record every call" level=${2}>
        <p>One command sets up the hooks of Claude Code, Codex, Gemini CLI, Cursor and Copilot. It shows what it changes,
        and <code>setup --remove</code> reverts it.</p>
        <${kr} text=${s} />
      </${R}>
      <${R} title="2. Give the agent the journal's tools" level=${2}>
        <p>With the tools, an agent can record plans and decisions, and read what the last agent did.</p>
        ${l.length>0&&a`<${ae} label="Client" value=${e||l[0]} choices=${l} onChange=${t} />`}
        ${c.map(d=>a`<div class="snippet" key=${d.over+d.where+d.client}>
            <p class="soft">${d.where.replaceAll("`","")}${d.over==="http"?", through this server":""}</p>
            <${kr} text=${d.text} />
          </div>`)}
      </${R}>
      <${R} title="3. Or write the first entry yourself" level=${2}>
        <${kr} text=${i('record execution-start --title "Clean up"')} />
        <p class="soft"><${k} name="right" />This page then shows the execution.</p>
      </${R}>
    </div>
  </div>`}function kr({text:e}){return a`<div class="snippet-command"><pre tabindex="0"><code>${e}</code></pre><${ge} text=${e} what="command" /></div>`}var vr,Sr=E(()=>{v();oe();On();Zt();F();vr=8});function dc(e){let t=[];for(let[,n,o,r]of e.matchAll(/(?:([a-z]+):)?(?:"([^"]*)"|(\S+))/g)){let s=o??r??"";n&&!(n in lc)?t.push({field:"",value:`${n}:${s}`}):t.push({field:n||"",value:s})}return t}function Wn(e){return e.map(({field:t,value:n})=>`${t?`${t}:`:""}${/\s/.test(n)?`"${n}"`:n}`).join(" ")}function uc(e){let t={status:[]},n=[];for(let{field:o,value:r}of e)!o||o==="tool"?n.push(r):o==="status"?t.status.push(...r==="open"?Er:r.split(",")):t[lc[o]]=r;return{...t,text:n.join(" ")}}function pc(e,t){let n=e.filter(r=>r.field!==t.field||r.value!==t.value);if(n.length<e.length)return n;let o=t.field==="status"||t.field==="only";return[...e.filter(r=>!o||r.field!=="status"&&r.field!=="only"),t]}var lc,rm,Er,cc,Tr=E(()=>{lc={status:"status",agent:"actor",client:"client",task:"task_id",plan:"plan_id",tool:"tool",only:"only",since:"since",until:"until"},rm=["running","blocked","paused","unwinding","completed","failed","cancelled","closed"],Er=["running","blocked","paused","unwinding"],cc=[["status:",`${rm.join(", ")}, or open`],["agent:","the agent that started it"],["client:","claude-code, codex-cli, …"],["task:","the task of the execution"],["tool:","a tool that was called"],["only:","in_doubt, owed, waiting or interrupted"],["since:","2d, 4h or a date; until: too"]]});function sn({row:e,selected:t,index:n,onFocus:o}){return a`<div class=${ee("exec",t&&"exec-selected")} role="listitem" data-index=${n}>
    <span class="exec-state"><${K} state=${e.interrupted?"interrupted":e.status} /></span>
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
      <${It} row=${e} running=${e.status==="running"&&!e.interrupted} failed=${!!e.failed&&!["running","completed"].includes(e.status)} />
      ${e.total_steps?a`<span class="exec-step cut">${rt(e)}${e.step&&e.status!=="completed"?a` · ${e.step}`:null}</span>`:null}
    </span>
    <span class="exec-flags"><${im} row=${e} /></span>
    <span class="exec-last"><${lm} row=${e} /></span>
  </div>`}function im({row:e}){let t=e.failed??e.actions?.failed??0;return a`
    ${e.waiting?a`<${ne} tone="waiting" icon="blocked" title="Approvals pending">${e.waiting} pending</${ne}>`:null}
    ${e.in_doubt?a`<${ne} tone="doubt" icon="in_doubt" title="Actions with an unknown outcome">${e.in_doubt} in doubt</${ne}>`:null}
    ${t?a`<${ne} tone="failed" icon="failed" title="Actions that failed">${t} failed</${ne}>`:null}
    ${e.owed?a`<${ne} tone="undo" icon="owed" title="Somebody still has to undo this">${e.owed} owed</${ne}>`:null}
  `}function lm({row:e}){return e.interrupted?a`<span class="quiet" title=${`last worked on by ${e.interrupted_by||"a session"} (${e.last_session})`}><${N} at=${e.interrupted} lead="left " /></span>`:e.status!=="running"&&e.status!=="unwinding"?a`<${N} at=${Er.includes(e.status)?e.last:e.ended||e.last} />`:a`<${cm} at=${e.last} />`}function cm({at:e}){let t=we()-Date.parse(e)>am;return a`<span class=${t?"quiet":null}><${N} at=${e} lead=${t?"quiet for ":""} /></span>`}function fc({group:e,count:t,by:n,more:o}){return a`<div class="exec-group" role="listitem">
    <strong>${e||`no ${n}`}</strong><span class="faint">${t}${o?"+":""}</span>
  </div>`}var am,Po=E(()=>{v();U();F();Tr();am=12e4});function Gn(e,t){if(!e)return{text:"no time limit",urgency:"none",next:1/0};let n=Date.parse(e)-t;if(n<=0)return{text:"expired",urgency:"over",next:1/0};let o=n<=wm?"soon":"calm",[r,s]=_m.find(([,c])=>n>=2*c)??["s",1e3],i=s===1e3,l=i?Math.ceil(n/s):Math.floor(n/s);return{text:`${l} ${r} left`,urgency:o,next:i?n-(l-1)*s:n-l*s+1}}function gc(e){let t=n=>n.expires?Date.parse(n.expires):1/0;return e.toSorted((n,o)=>(t(n)===t(o)?0:t(n)-t(o))||(n.id<o.id?-1:1))}var _m,wm,qo=E(()=>{_m=[["d",864e5],["h",36e5],["min",6e4]],wm=10*6e4});function Tc(){return Re(e=>{e?.kind==="approval_requested"&&Ec()&&!document.hasFocus()&&Om(e)}),null}function Om(e){let t=typeof e.body?.question=="string"?e.body.question:"An agent has a question.",n=new Notification(_e(t.slice(0,200)),{body:`${_e(e.facts?.tool||e.actor)} is waiting for you`,tag:e.id});n.onclick=()=>{window.focus(),ce(x(`/approvals/${e.id}`)),n.close()}}function Mc(){let[e,t]=h(Ec);return Sc()?a`<${w} icon="bell" pressed=${e} onClick=${async()=>{if(e)return localStorage.removeItem(Ir),t(!1);if(await Notification.requestPermission()!=="granted")return $e("The browser does not allow notifications. Change its settings for this site.","failed");localStorage.setItem(Ir,"yes"),t(!0)}}>Notify me<//>`:null}var Ir,Sc,Ec,Or=E(()=>{v();te();U();He();Ut();We();Ir="tallystick.notify",Sc=()=>"Notification"in window&&window.isSecureContext,Ec=()=>localStorage.getItem(Ir)==="yes"&&Sc()&&Notification.permission==="granted"});function Dc({approvals:e,onVerdict:t,onClear:n}){return a`<div class="batch-bar" role="region" aria-label="Selected questions">
    <strong>${e.length} selected</strong>
    <${w} kind="primary" icon="check" onClick=${()=>t("approve")}>Accept<//>
    <${w} icon="close" onClick=${()=>t("reject")}>Reject<//>
    <${w} kind="ghost" onClick=${n}>Clear<//>
  </div>`}function Pc({approvals:e,verdict:t,onClose:n}){let[o,r]=h(""),[s,i]=h({}),[l,c]=h(!1),[d]=h(()=>Object.fromEntries(e.map(g=>[g.id,tn()]))),u=t==="approve",p=Object.keys(s).length,f=()=>n(Object.values(s).filter(g=>g.ok).map(g=>g.id)),$=async g=>{g.preventDefault(),c(!0);for(let b of e){let C={verdict:t,...o.trim()?{reason:o.trim()}:{}},M=await eh(b.id,C,d[b.id]);i(y=>({...y,[b.id]:M}))}};return a`<${Qe} wide title=${`${u?"Accept":"Reject"} ${e.length} questions`} onClose=${f}>
    <form class="batch" onSubmit=${$}>
      <p class="soft">Each question is decided separately, and bound to its own exact arguments. If one fails, the others are still decided.</p>
      <ul class="batch-rows">
        ${e.map(g=>a`<li key=${g.id}>
          <div class="batch-question">
            <span><${m} text=${g.question} /></span>
            ${g.tool&&a`<pre class="batch-call" tabindex="0"><${m} text=${g.tool} /> <${De} text=${Ze(g.arguments??{})} /></pre>`}
          </div>
          <${th} outcome=${s[g.id]} sent=${l} />
        </li>`)}
      </ul>
      ${l?a`<p role="status">${p<e.length?`Deciding ${p+1} of ${e.length}…`:nh(s)}</p>
            <${w} kind="primary" disabled=${p<e.length} onClick=${f}>Close<//>`:a`<label class="field"><span>One reason for all</span>
              <input type="text" value=${o} maxlength="2000" onInput=${g=>r(g.target.value)} /></label>
            <div class="verdict-send">
              <${w} kind=${u?"primary":"danger"} type="submit" icon=${u?"check":"close"}>
                ${u?"Accept":"Reject"} all ${e.length}
              <//>
              <${w} kind="ghost" onClick=${f}>Not yet<//>
            </div>`}
    </form>
  <//>`}function th({outcome:e,sent:t}){return e?a`<span class=${`batch-outcome tone-${e.ok?"ok":"failed"}`}>
    <${k} name=${e.ok?"check":"warning"} /> ${e.ok?Nt(e.status):e.problem}
  </span>`:a`<span class="batch-outcome faint">${t?"waiting":""}</span>`}function nh(e){let t=Object.values(e),n=t.filter(o=>o.ok).length;return n===t.length?`All ${n} were decided.`:`${n} of ${t.length} were decided; the others show the reason.`}var eh,jc=E(()=>{G();v();oe();F();je();en();Ln();eh=To({get:T,post:Te})});function Pt(e,t){return e.status==="pending"&&Gn(e.expires??"",t).urgency==="over"?"expired":e.status}function zo({expires:e=""}){let t=ye("zone"),{text:n,urgency:o}=Gn(e,we());return o==="none"?a`<span class="expiry faint">${n}</span>`:a`<time class=${`expiry expiry-${o}`} dateTime=${e} title=${`expires ${Qt(e,t)}`}>
    <${k} name=${o==="soon"?"warning":"late"} size=${14} /> ${n}
  </time>`}var Ho=E(()=>{v();oe();mt();et();qo()});function qc({approval:e}){let{data:t}=D({by:[e.id],kinds:["body_erased"]},s=>sh(e,s));if(!t||!e.execution_id)return null;let{why:n,plan:o,actions:r}=t;return a`<aside class="background" aria-label="Background">
    ${n&&a`<section><h3>Why it is asked</h3><p><${m} text=${n} /></p></section>`}
    ${o&&(o.reasoning||o.goal)&&a`<section><h3>The plan</h3>
      <p><a href=${x(`/plans/${o.id}`)}><${m} text=${o.title||o.id} /></a></p>
      ${o.goal&&a`<p class="soft">Goal: <${m} text=${o.goal} /></p>`}
      ${o.reasoning&&a`<p class="soft">Reason: <${m} text=${o.reasoning} /></p>`}
      ${o.reason&&a`<p class="soft">Revised: <${m} text=${o.reason} /></p>`}</section>`}
    <section><h3>Done before</h3>
      ${r.length?a`<ol class="background-actions">${r.map(s=>a`<li key=${s.id}>
            <a href=${x(`/x/${e.execution_id}`,{action:s.id})}><${m} text=${Kl(s)} /></a>
            <span class="background-state"><${K} state=${s.state} quiet /><span class="faint"><${N} at=${s.begun} /></span></span>
          </li>`)}</ol>`:a`<p class="soft">Nothing was recorded before the question.</p>`}</section>
  </aside>`}async function sh(e,t){let n=e.execution_id;if(!n)return{why:"",plan:null,actions:[]};let[o,r,s]=await Promise.all([rh(e,t),e.plan_id?T(`/v1/plans/${encodeURIComponent(e.plan_id)}`,{},{signal:t}).catch(()=>null):null,T("/v1/actions",{execution_id:n,until:e.asked,newest_first:!0,limit:oh},{signal:t})]),i=r?.revisions?.reduce((l,c)=>c.revision>l.revision?c:l);return{why:o,plan:i||null,actions:s.actions}}async function rh(e,t){let o=(await T("/v1/entries",{id:e.id,execution_id:e.execution_id,limit:1},{signal:t})).entries[0]?.seq;if(!o)return"";let s=(await T("/v1/entries",{execution_id:e.execution_id,after:o,limit:1},{signal:t})).entries[0];return s?.facts?.approval_id===e.id&&s.body?.why||""}var oh,Bc=E(()=>{G();br();v();te();U();F();oh=5});function Hc(e){let t=e.failure_policy??"manual_decision";return typeof t=="string"?{action:t,reason:"",to:[]}:{action:t.action??"manual_decision",reason:t.reason??"",to:t.propagate_to??[]}}function Uo(e){return e?typeof e=="string"?{words:e,tool:""}:e.words||e.tool?{words:e.words??"",tool:e.tool??"",arguments:e.arguments}:null:null}function Uc(e,t){let n=new Map(e.map((i,l)=>[i.id,l])),o=t.filter(i=>n.has(i.id)).map(i=>i.id),r=e.filter(i=>t.some(l=>l.id===i.id)).map(i=>i.id),s=t.map(i=>{let l=n.get(i.id);if(l===void 0)return{id:i.id,change:"added",after:i,fields:[]};let c=yo(e[l],i),d=[...new Set(c.map(f=>xo(f.path.slice(0,1))))],u=o.indexOf(i.id)!==r.indexOf(i.id),p=d.length?"changed":u?"moved":"same";return{id:i.id,change:p,before:e[l],after:i,fields:d}});return e.forEach((i,l)=>{if(t.some(u=>u.id===i.id))return;let c=e.slice(l+1).find(u=>s.some(p=>p.id===u.id)),d=c?s.findIndex(u=>u.id===c.id):s.length;s.splice(d,0,{id:i.id,change:"removed",before:i,fields:[]})}),s}function Wc(e,t){return["title","goal","reasoning"].filter(n=>(e[n]??"")!==(t[n]??"")).map(n=>({name:n,before:e[n]??"",after:t[n]??""}))}var Fc,zc,Wo=E(()=>{_o();Fc={reversible:{word:"reversible",icon:"unwinding",tone:"ok"},"partially-reversible":{word:"partly reversible",icon:"owed",tone:"doubt"},irreversible:{word:"irreversible",icon:"cancelled",tone:"failed"}},zc={cancel_all:"cancel all",cancel_dependent:"cancel dependent steps",continue_others:"continue other steps",manual_decision:"a person or agent decides"}});function Kc({steps:e,chosen:t=""}){return a`<ol class="steps">
    ${e.map((n,o)=>a`<li key=${n.id} id=${`step-${n.id}`} class=${n.id===t?"is-chosen":null}>
      <span class="step-number num" aria-hidden="true">${o+1}</span>
      <div class="step-body"><${Rr} step=${n} /></div>
    </li>`)}
  </ol>`}function Rr({step:e}){return a`
    <div class="step-head">
      <h3><${m} text=${e.title||e.id} /></h3>
      <code class="soft"><${m} text=${e.id} /></code>
      <span class="step-end">
        ${e.needs_approval&&a`<${ne} tone="waiting" icon="person">needs approval<//>`}
        <${Dr} step=${e} />
      </span>
    </div>
    <dl class="step-facts">
      ${e.tool&&a`<div><dt>tool</dt><dd><code><${m} text=${e.tool} /></code> <span class="soft">${e.effect??"unsafe"}</span></dd></div>`}
      <div><dt>after</dt><dd>${e.after?.length?e.after.map((t,n)=>a`${n?", ":""}<a href=${`#step-${t}`} data-native><${m} text=${t} /></a>`):a`<span class="faint">nothing</span>`}</dd></div>
      <div><dt>undo</dt><dd><${ah} step=${e} /></dd></div>
      <div><dt>if it fails</dt><dd><${ih} step=${e} /></dd></div>
      <div><dt>estimate</dt><dd>${e.estimate===void 0||e.estimate===null?a`<span class="faint">none</span>`:pe(e.estimate*1e3)}</dd></div>
      ${e.probe?a`<div><dt>probe</dt><dd><${m} text=${typeof e.probe=="string"?e.probe:e.probe.words||e.probe.tool} /></dd></div>`:null}
    </dl>
    ${e.arguments&&Object.keys(e.arguments).length?a`<details class="step-arguments"><summary>Arguments</summary><${ie} value=${e.arguments} label=${`arguments of ${e.id}`} whole /></details>`:null}`}function Dr({step:e}){let{word:t,icon:n,tone:o}=Fc[e.cancellable]??{word:e.cancellable,icon:"planned",tone:"idle"};return a`<${ne} tone=${o} icon=${n}>${t}<//>`}function ah({step:e}){let t=Uo(e.undo),n=e.undo_until?a` <span class="soft">until ${e.undo_until} after its end</span>`:null;return t?a`<${m} text=${t.words} />${t.tool&&a` <code><${m} text=${t.tool} /> ${t.arguments&&a`<${m} text=${se(t.arguments)} />`}</code>`}${n}`:e.effect==="read"?a`<span class="faint">it only reads</span>`:e.cancellable==="irreversible"?a`<span class="faint">cannot be undone</span>`:a`<span class="step-warning"><${k} name="warning" size=${14} /> no undo recorded</span>`}function ih({step:e}){let{action:t,reason:n,to:o}=Hc(e);return a`${zc[t]??t}${o.length?a` (<${m} text=${o.join(", ")} />)`:null}${n&&a` <span class="soft">because <${m} text=${n} /></span>`}`}var Ko=E(()=>{v();oe();Le();F();Wo()});function Qc(e){let t=Xc(e);return uh.test(t)?"switch":ph.test(t)?"amount":fh.test(t)?"target":""}function $h(e,t){return/^dry_?run$/.test(Xc(e))?t===!0?"a rehearsal":t===!1?"not a rehearsal":"":t===!0?"is on":""}function qr(e){let t={first:[],plain:[],lists:[],nested:[]};if(!jt(e)||Array.isArray(e))return Array.isArray(e)&&t.lists.push(["arguments",e]),t;for(let[n,o]of Object.entries(e))Array.isArray(o)&&o.length?t.lists.push([n,o]):jt(o)&&Object.keys(o).length?t.nested.push([n,o]):Zc(t,[n],o);for(let[n,o]of t.nested)ed(t,[n],o);return t.first.sort((n,o)=>Vc.indexOf(n.danger)-Vc.indexOf(o.danger)),t}function Zc(e,t,n){let o=t[t.length-1],r=Qc(o),s={path:t,value:n,danger:r,note:r==="switch"?$h(o,n):""};(r?e.first:e.plain).push(s)}function ed(e,t,n){if(!(!jt(n)||Array.isArray(n)||t.length>=lh))for(let[o,r]of Object.entries(n))jt(r)?ed(e,[...t,o],r):Qc(o)&&Zc(e,[...t,o],r)}function nd(e){return e.length>1&&e.every(n=>jt(n)&&!Array.isArray(n))?[...new Set(e.flatMap(n=>Object.keys(n)))]:[]}function Br(e){let t=e.map(r=>typeof r=="number"||r instanceof Ee?String(r):"");if(t.every(r=>mh.test(r)))return hh(t);let n=new Map;for(let r of e){let s=se(r,{sorted:!0});n.set(s,(n.get(s)||0)+1)}if(n.size===1)return`the same in all ${e.length}: ${Pr([...n.keys()][0])}`;if(n.size<=dh)return[...n].map(([r,s])=>`${s} × ${Pr(r)}`).join(", ");let o=[...n.values()].filter(r=>r>1).length;return`${n.size} different${o?`, ${o} of them more than once`:""}`}function hh(e){let t=Math.max(...e.map(l=>(l.split(".")[1]||"").length)),n=e.map(l=>BigInt(l.replace(".","")+"0".repeat(t-(l.split(".")[1]||"").length))),o=n.toSorted((l,c)=>l<c?-1:l>c?1:0),[r,s]=[o[0],o[o.length-1]].map(l=>Gc(l,t)),i=Gc(n.reduce((l,c)=>l+c,0n),t);return`${r===s?`each ${r}`:`${r} to ${s}`}, together ${i}`}function Gc(e,t){let n=String(e<0n?-e:e).padStart(t+1,"0"),o=t?`${n.slice(0,-t)}.${n.slice(-t)}`:n;return e<0n?`-${o}`:o}function od(e,t){let{first:n,plain:o,lists:r,nested:s}=qr(t),i=new Set(s.map(([u])=>u)),l=[...n,...o].map(({path:u,value:p})=>`${u.map(Oe).join(".")} ${Pr(se(p))}`),c=[...i].filter(u=>!n.some(({path:p})=>p[0]===u));return[/\s/.test(e)?JSON.stringify(e):e,...l,...r.map(([u,p])=>`${p.length} ${Oe(u)}`),...c.map(u=>`${Oe(u)} {…}`)].filter(Boolean).join(" · ")}function sd(e,t){let n=jr(e,t);return{undo:n,waits:bh.test(typeof n=="string"?n:se(n??null))}}function jr(e,t){if(Array.isArray(e))return e.map(o=>jr(o,t));if(jt(e))return Object.fromEntries(Object.entries(e).map(([o,r])=>[o,jr(r,t)]));if(typeof e!="string")return e;let n=e.match(/^\$\{arguments((?:\.[^.{}]+)+)\}$/);return n?Yc(n[1],t)??e:e.replace(gh,(o,r)=>{let s=Yc(r,t);return s===void 0?o:typeof s=="string"?s:se(s)})}function Yc(e,t){for(let n of e.split(".").slice(1)){if(!jt(t)||!Object.hasOwn(t,n))return;t=t[n]}return t===null||typeof t=="string"&&t.startsWith("[masked")?void 0:t}var lh,ch,dh,uh,ph,fh,Xc,jt,Vc,td,mh,Jc,Pr,gh,bh,Fr=E(()=>{dt();Le();We();lh=4,ch=8,dh=3,uh=/^(dry_?run|forced?|recursive|overwrite|confirm(ed)?|yes|all|permanent(ly)?|hard|purge|cascade|prune|wipe|unsafe|insecure|public|sudo|privileged|auto_?approve|(no|skip|allow|ignore|delete|disable)_\w+)$/,ph=/(^|_)(amount|total|sum|price|cost|fee|budget|currency|quantity|count|limit|max|percent|rate|days|replicas)$/,fh=/(^|_)(to|target|destination|dest|recipients?|host(name)?|server|ur[li]|path|file(name)?|dir(ectory)?|folder|bucket|branch|env(ironment)?|region|cluster|namespace|database|db|table|account|user|email|role|project|tenant|domain|channel|command|cmd|query|sql|script)$/,Xc=e=>e.replace(/([a-z0-9])([A-Z])/g,"$1_$2").replace(/[\s.-]+/g,"_").toLowerCase(),jt=e=>typeof e=="object"&&e!==null&&!(e instanceof Ee);Vc=["switch","amount","target"];td=e=>e.length>ch;mh=/^-?\d+(?:\.\d+)?$/;Jc=40,Pr=e=>e.length>Jc?`${e.slice(0,Jc)}…`:e;gh=/\$\{arguments((?:\.[^.{}]+)+)\}/g,bh=/\$\{result[^{}]*\}/});function ad({approval:e}){let t=e.arguments,n=t==null||!Object.keys(t).length;return a`<${R} class="call" level=${3} actions=${e.cancellable&&a`<${Dr} step=${e} />`} title=${a`${e.unbound?"A call of":"Exactly this call:"} <code><${m} text=${e.tool||"unnamed tool"} /></code>`}>
    ${n?a`<p class="soft">No arguments.</p>`:a`<${xh} value=${t} />`}
    <${Th} approval=${e} />
    ${e.digest&&!e.edited&&a`<p class="soft digest">An answer is bound to this call by its digest <code>${e.digest.slice(0,16)}…</code><${ge} text=${e.digest} what="the digest" /></p>`}
  <//>`}function xh({value:e}){let{first:t,plain:n,lists:o,nested:r}=qr(e),s=se(e).includes("[masked:");return a`<div class="call-arguments" role="group" aria-label="Arguments">
    ${t.length?a`<div class="call-first"><h4>Check first</h4><${rd} fields=${t} /></div>`:null}
    ${n.length?a`<${rd} fields=${n} />`:null}
    ${r.map(([i,l])=>a`<div class="call-part" key=${i}><h4><code><${m} text=${Oe(i)} /></code></h4><${ie} value=${l} label=${i} whole /></div>`)}
    ${o.map(([i,l])=>a`<${_h} key=${i} name=${i} list=${l} />`)}
    ${s&&a`<p class="note"><${k} name="warning" size=${14} /> A secret is masked here. The call is bound to the real value, which nobody can read.</p>`}
    <${Eh} value=${e} />
  </div>`}function rd({fields:e}){return a`<dl class="call-fields">
    ${e.map(({path:t,value:n,danger:o,note:r})=>a`<div key=${t.join(".")} class=${o==="switch"?"call-field is-switch":"call-field"}>
      <dt><code><${m} text=${t.map(Oe).join(".")} /></code></dt>
      <dd><${Xt} value=${n} />${r&&a` <span class="call-note"><${k} name="warning" size=${14} /> ${r}</span>`}</dd>
    </div>`)}
  </dl>`}function _h({name:e,list:t}){let[n,o]=h(""),[r,s]=h(!1),i=Me(),l=td(t),c=t.map((f,$)=>({value:f,at:$})).filter(({value:f})=>!n||wh(f).includes(n.toLowerCase())),d=r||!l?c:c.slice(0,yh),u=nd(t),p=c.length-d.length;return a`<section class="call-part call-list" aria-labelledby=${i}>
    <h4 id=${i}><code><${m} text=${Oe(e)} /></code> <span class="call-count">${t.length} ${t.length===1?"item":"items"}</span></h4>
    ${l&&a`<${vh} list=${t} columns=${u} />`}
    ${l&&a`<label class="call-filter"><span class="visually-hidden">Filter ${e}</span>
      <input type="search" placeholder=${`Filter the ${t.length} items`} value=${n} onInput=${f=>o(f.target.value)} /></label>`}
    ${u.length?a`<${kh} name=${e} rows=${d} columns=${u} />`:a`<${Sh} rows=${d} />`}
    ${l&&a`<p class="call-more" role="status">
      ${n?`${c.length} of ${t.length} match. `:""}${p>0?a`<strong>${p} more ${p===1?"item is":"items are"} not shown.</strong> `:`All ${c.length} are shown.`}
      ${p>0&&a`<button type="button" class="button button-plain" onClick=${()=>s(!0)}>Show all ${c.length}</button>`}
    </p>`}
  </section>`}function vh({list:e,columns:t}){return t.length?a`<dl class="call-summary">${t.map(n=>{let o=e.filter(s=>Object.hasOwn(s,n)).map(s=>s[n]),r=e.length-o.length;return a`<div key=${n}><dt><code><${m} text=${Oe(n)} /></code></dt><dd><${m} text=${`${Br(o)}${r?`, missing in ${r}`:""}`} /></dd></div>`})}</dl>`:a`<p class="call-summary"><${m} text=${Br(e)} /></p>`}function kh({name:e,rows:t,columns:n}){return a`<div class="table-scroll" tabindex="0" role="region" aria-label=${`Items of ${e}`}>
    <table class="table call-table">
      <thead><tr><th scope="col">item</th>${n.map(o=>a`<th scope="col"><code><${m} text=${Oe(o)} /></code></th>`)}</tr></thead>
      <tbody>${t.map(({value:o,at:r})=>a`<tr key=${r}><th scope="row" class="num">${r+1}</th>
        ${n.map(s=>a`<td>${Object.hasOwn(o,s)?a`<${id} value=${o[s]} />`:a`<span class="faint">missing</span>`}</td>`)}</tr>`)}</tbody>
    </table>
  </div>`}function Sh({rows:e}){return a`<ol class="call-items">${e.map(({value:t,at:n})=>a`<li key=${n}><span class="faint num">${n+1}</span> <${id} value=${t} /></li>`)}</ol>`}function id({value:e}){return typeof e=="object"&&e!==null&&!(e instanceof Ee)?a`<code class="call-json"><${De} text=${se(e)} /></code>`:a`<${Xt} value=${e} />`}function Eh({value:e}){let[t,n]=h(!1),o=se(e,{indent:2});return a`<details class="call-whole" onToggle=${r=>n(r.target.open)}>
    <summary>All arguments as JSON <span class="faint">${o.length} characters</span></summary>
    ${t&&a`<pre class="text" tabindex="0"><${De} text=${o} /></pre>`}
  </details>`}function Th({approval:e}){if(!e.cancellable)return null;let{undo:t,waits:n}=sd(e.undo,e.arguments),o=Uo(t);return a`<div class="call-undo">
    <p>${e.cancellable==="irreversible"?a`<span class="soft">It cannot be undone.</span>`:o?a` <span class="soft">To undo it:</span> <${m} text=${o.words} />${o.tool&&a` <code><${m} text=${o.tool} /></code>`}`:a` <span class="soft">No undo is recorded.</span>`}</p>
    ${o?.tool&&o.arguments&&Object.keys(o.arguments).length?a`<${ie} value=${o.arguments} label="arguments of the undo" whole />`:null}
    ${n&&a`<p class="soft">A part of it, written <code>\${result…}</code>, is known after the call.</p>`}
  </div>`}var yh,wh,ld=E(()=>{v();oe();dt();Le();Ko();Wo();F();Mn();je();We();Fr();yh=8;wh=e=>(typeof e=="string"?e:se(e)).toLowerCase()});function dd({approval:e,onChoose:t,last:n=""}){let{options:o=[]}=e,r=A(null);_(()=>{n&&r.current?.querySelector(`.verdict-${n}`)?.focus()},[]);let s=i=>{As(an(e),{...yn(an(e)),verdict:"respond",answer:i}),t("respond")};return a`<div class="verdict-bar" ref=${r}>
    ${o.length?a`<div class="verdict-options" role="group" aria-label="Offered by the agent">
          <span class="soft">${at(e)?"Answer without granting the call:":"Answer:"}</span>
          ${o.map(i=>a`<${w} key=${i} kind=${at(e)?"plain":"primary"} class="verdict-option" onClick=${()=>s(i)}><${m} text=${i} /><//>`)}
        </div>`:null}
    <div class="verdicts" role="group" aria-label="Answer" tabindex="-1">
      ${Object.entries(Nn).filter(([i])=>zr(e,i)).map(([i,{verb:l,key:c}])=>a`<${w}
          key=${i} kind=${i==="approve"?"primary":"plain"} icon=${cd[i]}
          class=${`verdict verdict-${i}`} aria-keyshortcuts=${c} onClick=${()=>t(i)}
        >${l}<//>`)}
    </div>
  </div>`}function zr(e,t){return t==="edit"?at(e):t!=="approve"||at(e)||!!e.step||!e.options?.length}function ud(e){let{verdict:t=""}=yn(an(e));return t in Nn?t:""}function pd({approval:e,verdict:t,decide:n,over:o=!1,onSend:r,onDone:s,onCancel:i}){let l=xi(Ze(e.arguments??{})),[c,d,u]=io(an(e),{reason:"",answer:"",text:l,key:"",sent:""}),[p,f]=h(!1),[$,g]=h(!1),b=A(null),C=Me(),M=Vi(e,t,c),y="problem"in M?M:null,S=O=>P=>d({verdict:t,[O]:P.target.value});_(()=>{let O=matchMedia("(pointer: coarse)").matches&&t!=="edit";b.current?.querySelector(O?"[type=submit]":"textarea, input")?.focus({preventScroll:!0})},[t]);let I=async O=>{if(O.preventDefault(),f(!0),y||$||o)return;g(!0),r?.();let{body:P}=M,q=se(P),W=c.sent===q&&c.key?c.key:tn();d({verdict:t,sent:q,key:W});let J=await n(e.id,P,W);J.ok&&u(),g(!1),s(J)},V=()=>{o?u():d({verdict:""}),i()};return a`<form class="verdict-form" ref=${b} onSubmit=${I} onKeyDown=${O=>{O.key==="Escape"&&(O.stopPropagation(),V()),O.key==="Enter"&&(O.metaKey||O.ctrlKey)&&I(O)}} aria-labelledby=${`${C}-title`}>
    <h3 id=${`${C}-title`}>${Mh[t]}</h3>
    ${t==="edit"&&a`<${Ah} approval=${e} text=${c.text} onInput=${S("text")} />`}
    ${t==="respond"&&a`<${Ih} approval=${e} value=${c.answer} onInput=${S("answer")} onPick=${O=>d({verdict:t,answer:O})} />`}
    <label class="field">
      <span>Reason <span class="faint">recorded in the journal, and shown to the agent</span></span>
      <input type="text" value=${c.reason} onInput=${S("reason")} autocomplete="off" maxlength="2000" />
    </label>
    <p class="field-problem" role="alert">${p&&y?y.problem:""}</p>
    <div class="verdict-send">
      <${w} kind=${t==="reject"?"danger":"primary"} type="submit" disabled=${$||o} icon=${cd[t]}>${Ch[t]}<//>
      <${w} kind="ghost" onClick=${V}>${o?"Close":"Not yet"}<//>
    </div>
  </form>`}function Ah({approval:e,text:t,onInput:n}){let o=Me(),r=cr(t),s=se(e.arguments??{}).includes("[masked:");return a`<div class="editor">
    <label class="field" for=${o}><span>Arguments of <code><${m} text=${e.tool||"the call"} /></code>, as JSON</span></label>
    <textarea
      id=${o} class="editor-text" spellcheck="false" autocapitalize="off" autocomplete="off"
      rows=${Math.min(18,Math.max(5,t.split(`
`).length+1))} value=${t}
      aria-invalid=${"problem"in r?"true":null} aria-describedby=${`${o}-status`} onInput=${n}
    ></textarea>
    <p id=${`${o}-status`} class="editor-status" role="status">
      ${"problem"in r?a`<${k} name="warning" size=${14} /> ${r.problem}`:a`<${k} name="check" size=${14} /> Valid JSON`}
    </p>
    ${s&&a`<p class="note"><${k} name="warning" size=${14} /> A secret is masked here. If you send it, the mask is granted as text.</p>`}
    ${"value"in r&&a`<${qe} before=${e.arguments??{}} after=${r.value} titles=${["asked","granted"]} />`}
    <p class="note soft">
      An edit makes a new digest: the agent may call <code><${m} text=${e.tool||"the tool"} /></code> once, with exactly these
      arguments. The original call is not granted.
    </p>
  </div>`}function Ih({approval:e,value:t,onInput:n,onPick:o}){return a`
    ${e.options?.length?a`<${ae} label="Suggested answers" value=${t} choices=${e.options.map(r=>[r,a`<${m} text=${r} />`])} onChange=${o} />`:null}
    <label class="field">
      <span>Answer <span class="faint">shown to the agent; it grants no call</span></span>
      <textarea rows="3" value=${t} onInput=${n} required></textarea>
    </label>`}var cd,at,an,Mh,Ch,Hr=E(()=>{Ht();v();oe();Le();He();Zs();Mn();je();We();en();Ln();cd={approve:"check",edit:"edit",reject:"close",respond:"reply"};at=e=>!!(e.tool||e.arguments);an=e=>ro("approval",e.id,e.asked);Mh={approve:"Grant exactly what is shown above",edit:"Grant other arguments instead",reject:"Reject the call",respond:"Answer the agent without granting a call"},Ch={approve:"Accept exactly this",edit:"Grant the edited call",reject:"Reject it",respond:"Send the answer"}});function fd({approval:e,mayDecide:t,verdict:n,onVerdict:o,onSend:r,onDone:s,rejection:i}){let l=Pt(e,we()),c=l==="pending";return a`<article class="question" aria-labelledby="question-title">
    <header class="question-head">
      <div class="question-line">
        <${K} state=${l} />
        ${e.status==="pending"&&a`<${zo} expires=${e.expires} />`}
        <span class="question-handle"><${Ue} id=${e.id} /></span>
      </div>
      <h2 id="question-title"><${m} text=${e.question||"Question without text"} /></h2>
      <p class="soft">
        Asked ${e.actor&&a`by <strong><${m} text=${e.actor} /></strong> `}<${N} at=${e.asked} />
        ${e.execution_id&&a` in <a href=${x(`/x/${e.execution_id}`)}><${m} text=${e.title||e.execution_id} /></a>`}
        ${e.step&&a`, for the step <a href=${x(`/x/${e.execution_id}`,{step:e.step})}><${m} text=${e.step_title||e.step} /></a>`}
      </p>
    </header>
    <div class="question-body">
      <div class="question-main">
        ${at(e)?a`<${ad} approval=${e} />`:!e.unbound&&a`<p class="note">It asks in words only: an answer grants no call.</p>`}
        ${e.unbound&&a`<p class="warning-note"><${k} name="warning" /> This approval is not bound to an exact call. It grants <${m} text=${e.unbound} />.</p>`}
        ${e.options?.length&&!(c&&t)?a`<p class="soft">Suggested answers: ${e.options.map((d,u)=>a`${u?", ":""}<strong><${m} text=${d} /></strong>`)}</p>`:null}
        ${c?null:a`<${Lh} approval=${e} status=${l} />`}
        <${Rh} approval=${e} />
      </div>
      <${qc} approval=${e} />
    </div>
    <div class=${ee("dock",(c||n)&&"dock-pending")}>
      ${i&&a`<p class="warning-note" role="alert"><${k} name="warning" /> ${i}</p>`}
      ${(c||n)&&a`<${Nh} over=${!c} approval=${e} mayDecide=${t} verdict=${n} onVerdict=${o} onSend=${r} onDone=${s} />`}
    </div>
  </article>`}function Nh({approval:e,over:t,mayDecide:n,verdict:o,onVerdict:r,onSend:s,onDone:i}){let l=A(""),c=A(null),d=A(!1);return _(()=>{n&&d.current&&!o&&c.current?.querySelector(".verdicts")?.focus(),d.current=n===!1},[n]),o&&(l.current=o),Se()?a`<p class="note"><${k} name="import" /> This is an imported export: nothing can be decided in it.</p>`:n===null||t&&!n?null:n?a`<div class=${ee("answering",o&&"is-open")} ref=${c}>
    ${at(e)&&a`<p class="dock-call" title="The call in short; above, all of it"><${m} text=${od(e.tool||"",e.arguments)} /></p>`}
    ${o?a`<${pd} key=${e.id+o} approval=${e} verdict=${o} decide=${Oh} over=${t} onSend=${s} onDone=${i} onCancel=${()=>r("")} />`:a`<div class="answering-bar">
          <${dd} approval=${e} onChoose=${r} last=${l.current} />
          <p class="soft answering-note">${e.expires?"After the time limit it expires: a timeout is never a yes.":"There is no time limit. Silence is never a yes."}</p>
        </div>`}
  </div>`:a`${o&&a`<p class="note" role="status"><${k} name="save" /> What you typed is kept in this browser.</p>`}<${Ge} />`}function Lh({approval:e,status:t}){return t==="expired"?a`<p class="note">
      <${k} name="late" /> It expired <${N} at=${e.expires??""} /> without an answer. A timeout is never a
      yes: nothing was granted, and the agent has to ask again.
    </p>`:t==="closed"?a`<p class="note"><${k} name="late" /> Its execution ended without an answer. Nothing was granted.</p>`:a`<${R} level=${3} title="Answer">
    <${Ne} rows=${[["by",e.decided_by&&a`<${m} text=${e.decided_by} />`],["in",e.answered_in&&a`<${m} text=${e.answered_in} />`],["when",a`<${N} at=${e.decided??""} form="absolute" />`],["reason",e.reason&&a`<${m} text=${e.reason} />`],["answer",e.answer&&a`<${m} text=${e.answer} />`],["used by",e.used_by&&a`<a href=${x(`/x/${e.execution_id}`,{action:e.used_by})}><code>${e.used_by}</code></a>`],["used",!e.used_by&&(t==="approve"||t==="edit")?"not yet: valid for one call":""]]} />
    ${e.edited!==void 0&&e.edited!==null?a`<h4>Granted instead</h4>
          <${qe} before=${e.arguments??{}} after=${e.edited} titles=${["asked","granted"]} />`:null}
  <//>`}function Rh({approval:e}){let[t,n]=h(!1);return _(()=>n(!1),[e.id]),a`<details class="evidence" open=${t} onToggle=${o=>n(o.target.open)}>
    <summary>Entries in the journal</summary>
    ${t&&a`<${Dh} approval=${e} />`}
  </details>`}function Dh({approval:e}){let{data:t}=D({by:[e.id,e.status],kinds:["approval_"]},n=>T("/v1/entries",{id:e.id,execution_id:e.execution_id,newest_first:!0,limit:10},{signal:n}));return t?a`<ul class="evidence-rows">
    ${t.entries.toReversed().map(n=>a`<li key=${n.seq}>
      <a href=${x(`/x/${e.execution_id}`,{tab:"journal",entry:n.seq})}>entry ${n.seq}</a>
      <span>${n.kind==="approval_requested"?"asked":"answered"} by <${m} text=${n.facts?.credential||n.actor} /></span>
      <${N} at=${n.at} form="absolute" />
      ${n.facts?.effect_key&&a`<span class="digest">digest <code>${n.facts.effect_key.slice(0,16)}…</code><${ge} text=${n.facts.effect_key} what="the digest" /></span>`}
    </li>`)}
  </ul>`:a`<p class="loading">Loading…</p>`}var Oh,$d=E(()=>{G();v();oe();te();U();F();mt();Bc();ld();Fr();nn();Ln();Ho();Hr();Oh=To({get:T,post:Te})});function md({label:e,approvals:t,chosen:n,now:o,marked:r,onMark:s}){let i=A(null);return _(()=>i.current?.querySelector(".is-chosen")?.scrollIntoView({block:"nearest"}),[n]),a`<ul class="questions" ref=${i} aria-label=${e}>
    ${t.map(l=>{let c=Pt(l,o),d=l.id===n;return a`<li key=${l.id} class=${ee("question-row",d&&"is-chosen")}>
        ${r&&a`<label class="question-mark">
          <input type="checkbox" checked=${r.has(l.id)} disabled=${c!=="pending"} onChange=${()=>s?.(l.id)} />
          <span class="visually-hidden">Select “${_e(l.question||l.id)}”</span>
        </label>`}
        <a href=${x(`/approvals/${l.id}`,jh())} aria-current=${d?"true":null}>
          <span class="question-text"><${m} text=${l.question||l.id} /></span>
          <span class="question-about">
            ${l.tool?a`<code><${m} text=${l.tool} /></code>`:a`<span class="faint">a question</span>`}
            <span class="soft cut">${l.actor?a`<${m} text=${l.actor} />, `:null}<${N} at=${l.asked} /></span>
            <span class="question-state">
              ${c==="pending"?a`<${zo} expires=${l.expires} />`:a`<${K} state=${c} quiet />`}
            </span>
          </span>
          ${l.decided&&a`<${Ph} approval=${l} />`}
        </a>
      </li>`})}
  </ul>`}function Ph({approval:e}){let t=e.answer||e.reason;return a`<span class="question-answered soft">
    <span class="question-verdict">${Nt(e.status)}</span> by <strong><${m} text=${e.decided_by||e.answered_in||"nobody known"} /></strong>, <${N} at=${e.decided} />${t&&a`: “<${m} text=${t} />”`}
  </span>`}function jh(){let e=new URLSearchParams(location.search);return{tab:e.get("tab"),status:e.get("status"),execution:e.get("execution")}}var hd=E(()=>{v();U();Vs();je();mt();We();en();Ho()});var yd={};Ce(yd,{Page:()=>Fh});function Fh({id:e="",query:t}){let n=t.get("tab")==="history",o=t.get("status")||"",r=t.get("execution")||"",s={tab:n&&"history",status:o,execution:r},[i,l]=h(Ur),c=D({by:[n,o,r,i],kinds:gd},Q=>Hh({past:n,status:o,execution:r,limit:i},Q)),d=D({by:[e],kinds:gd},Q=>e?T(`/v1/approvals/${encodeURIComponent(e)}`,{},{signal:Q}):Promise.resolve(null)),u=Ie(),p=we(),[f,$]=h(()=>new Set),[g,b]=h(""),[C,M]=h(null),[y,S]=h({id:"",text:""}),I=c.data?.name===bd({past:n,status:o,execution:r}),V=I&&c.data?c.data.approvals:[],j=Kh(),O=d.data?.id===e?d.data:null,P=V[0]?.id??"",q=V.filter(Q=>f.has(Q.id)&&Pt(Q,p)==="pending");ke(()=>b(O?.status==="pending"?ud(O):""),[e,O?.id]);let W=A(""),J=O?Pt(O,p):"";_(()=>{!O||!g||J==="pending"||W.current===O.id||S({id:O.id,text:Eo({},{...O,status:J})})},[J]);let re=A(!1),B=A({id:"",at:0});_(()=>{!e&&P&&(j||r&&V.length===1)&&(re.current&&(B.current={id:P,at:performance.now()}),ce(x(`/approvals/${P}`,s),{replace:!0})),re.current=I&&!P},[j,e,P,r,I]);let xe=Q=>{let xt=V.findIndex(fn=>fn.id===e),_t=V[Math.max(0,Math.min(V.length-1,xt+Q))];_t&&ce(x(`/approvals/${_t.id}`,s),{replace:!!e})},Ye=Q=>$(xt=>{let _t=new Set(xt);return _t.delete(Q)||_t.add(Q),_t}),ve=Q=>{Q.ok&&(b(""),O&&Is(an(O))),Q.refused&&ut(),W.current=Q.ok?Q.id:"",S({id:Q.id,text:Q.problem}),Q.ok&&$e(`${Q.id}: ${Nt(Q.status)}.`,"ok"),c.reload(),d.reload()},yt=O&&J==="pending"&&u.may_decide&&!Se(),nt=Q=>({label:`${zh[Q]} it`,run:()=>{B.current.id===e&&performance.now()-B.current.at<qh?$e("This question has just arrived: read it first."):b(Q)}});return fe("Approvals",{j:{label:"Next question",run:()=>xe(1)},k:{label:"Previous question",run:()=>xe(-1)},a:yt&&zr(O,"approve")&&nt("approve"),e:yt&&at(O)&&nt("edit"),r:yt&&nt("reject"),m:yt&&nt("respond"),x:!n&&!Se()&&O&&{label:"Select it for one answer to several",run:()=>Ye(O.id)},Escape:{label:"Cancel the answer, or go back to the list",run:()=>g?b(""):e&&ce(x("/approvals",{...s,status:""}))}}),a`<div class=${`approvals ${e?"has-chosen":""}`}>
    <section class="approvals-list" aria-label="Questions">
      <header class="page-head">
        <h1>Approvals</h1>
        <${Mc} />
      </header>
      <${Cn} label="Which questions" value=${n?"history":"pending"} href=${Q=>x("/approvals",{tab:Q==="history"&&Q})}
        tabs=${[{id:"pending",title:"Pending",count:n?0:V.length,tone:"waiting"},{id:"history",title:"History"}]} />
      ${r&&a`<p class="soft approvals-of">Of <a href=${x(`/x/${r}`)}><${m} text=${V[0]?.title||r} /></a>. <a href=${x("/approvals",{tab:n&&"history"})}>All questions</a></p>`}
      ${n&&a`<${Uh} status=${o} />`}
      ${!n&&u.version&&!u.may_decide&&f.size?a`<${Ge} />`:null}
      ${q.length>0&&u.may_decide&&a`<${Dc} approvals=${q} onVerdict=${Q=>M({verdict:Q,approvals:q})} onClear=${()=>$(new Set)} />`}
      <${L} problem=${c.problem} retry=${c.reload} />
      ${I&&c.data?V.length?a`<${md} label=${n?"Answered questions":"Pending questions, the soonest to expire first"}
              approvals=${V} chosen=${e} now=${p} marked=${n||Se()?void 0:f} onMark=${Ye} />
              ${c.data.more&&a`<${w} onClick=${()=>l(i+Ur)}>Show older<//>`}`:a`<${Wh} past=${n} />`:!c.problem&&a`<${H} />`}
    </section>
    <section class="approvals-one" aria-label="Question">
      ${e&&a`<a class="back" href=${x("/approvals",s)}>All questions</a>`}
      ${e&&a`<${L} problem=${d.problem} retry=${d.reload} />`}
      ${O?a`<${fd} key=${O.id} approval=${O} mayDecide=${u.version?u.may_decide:null} verdict=${g} onVerdict=${b}
            onSend=${()=>W.current=O.id} onDone=${ve} rejection=${y.id===O.id?y.text:""} />`:null}
    </section>
    ${C&&a`<${Pc} ...${C} onClose=${()=>(M(null),$(new Set),c.reload(),d.reload())} />`}
  </div>`}async function Hh({past:e,status:t,execution:n,limit:o},r){let s=[],i="";do{let l=await T("/v1/approvals",{status:e?t:"pending",execution_id:n,limit:Ur,cursor:i},{signal:r});s.push(...l.approvals.filter(c=>!e||c.status!=="pending")),i=l.next_cursor||""}while(i&&s.length<o);return{name:bd({past:e,status:t,execution:n}),approvals:e?s:gc(s),more:!!i}}function Uh({status:e}){return a`<nav class="chips" aria-label="Answered how">
    ${Bh.map(([t,n])=>a`<a class="chip" href=${x("/approvals",{tab:"history",status:t})} aria-current=${t===e?"true":null}>${n}</a>`)}
  </nav>`}function Wh({past:e}){return e?a`<${z} icon="approvals" title="No answered questions yet." />`:a`<${z} icon="approvals" title="No questions are waiting.">
    <p>When an agent asks (<code>request_approval</code>, <code>ask_human</code>, or a gateway’s policy), the question appears here at
    once, with the exact call and its time limit. Nothing is granted before you answer.</p>
  <//>`}function Kh(){let e="(min-width: 900px)",[t,n]=h(()=>matchMedia(e).matches);return _(()=>{let o=matchMedia(e),r=()=>n(o.matches);return o.addEventListener("change",r),()=>o.removeEventListener("change",r)},[]),t}var Ur,qh,gd,Bh,zh,bd,xd=E(()=>{en();jc();qo();nn();Ho();Or();$d();hd();Hr();G();Ht();v();Ae();te();U();Fe();F();mt();Ur=100,qh=2e3,gd=["approval_","action_begun","body_erased"],Bh=[["","All"],["approve","Accepted"],["edit","With changes"],["reject","Rejected"],["respond","Answered"],["used","Used"],["expired","Expired"],["closed","Closed"]];zh={approve:"Accept",edit:"Edit",reject:"Reject",respond:"Respond to"};bd=({past:e,status:t,execution:n})=>[e,t,n].join("/")});function _d(e,t){let n=A({by:t,rows:[],cursor:""}),[,o]=h(0),r=A(!1),i=D({by:[t]},async u=>{let p=n.current.by===t?Math.min(Math.max(n.current.rows.length,Vo),Vh):Vo,f=[],$="";do{let g=await T("/v1/executions",{...e,limit:Vo,cursor:$},{signal:u});f=f.concat(g.executions),$=g.next_cursor||""}while($&&f.length<p);return n.current=n.current.by===t?Gh(n.current,f,$):{by:t,rows:f,cursor:$},n.current.by=t,n.current}),l=be(async()=>{let{rows:u,cursor:p}=n.current;if(!(!p||r.current)){r.current=!0;try{let f=await T("/v1/executions",{...e,limit:Vo,cursor:p});if(n.current.rows!==u)return;n.current={by:t,rows:u.concat(f.executions),cursor:f.next_cursor||""},o($=>$+1)}finally{r.current=!1}}},[t]),{rows:c,cursor:d}=n.current.by===t?n.current:{rows:[],cursor:""};return{...i,rows:c,all:!d,more:l}}function Gh(e,t,n){let o=t.length?e.rows.findIndex(r=>r.id===t[t.length-1].id):-1;return!n||o<0||o===e.rows.length-1?{by:e.by,rows:t,cursor:n}:{by:e.by,rows:t.concat(e.rows.slice(o+1)),cursor:e.cursor}}var Vo,Vh,wd=E(()=>{G();v();te();Vo=100,Vh=300});function Jh(){try{let e=JSON.parse(localStorage.getItem(vd)||"[]");return Array.isArray(e)?e:[]}catch{return[]}}function kd(){let[e,t]=h(Jh),[n,o]=h(""),r=Ba().query.toString(),s=c=>{localStorage.setItem(vd,JSON.stringify(c)),t(c)},i=c=>{c.preventDefault(),n.trim()&&(s([...e.filter(d=>d.name!==n.trim()),{name:n.trim(),query:r}]),o(""))},l=e.find(c=>c.query===r);return a`<${st} label="Saved views" icon="save" word=${l?l.name:"Views"} end>
    <div class="views">
      ${e.length?null:a`<p class="soft">A view is a filter with a name.</p>`}
      <ul>
        ${e.map(c=>a`<li key=${c.name}>
            <button type="button" class="menu-item" data-close onClick=${()=>ce(`/executions?${c.query}`)}>${c.name}</button>
            <${w} kind="ghost" icon="close" label=${`Forget ${c.name}`} onClick=${()=>s(e.filter(d=>d!==c))} />
          </li>`)}
      </ul>
      <form onSubmit=${i}>
        <input aria-label="Name of this view" placeholder="Name of this view" value=${n} onInput=${c=>o(c.target.value)} />
        <${w} type="submit" kind="primary">Save</${w}>
      </form>
    </div>
  </${st}>`}var vd,Sd=E(()=>{v();U();F();vd="tallystick.views"});var Td={};Ce(Td,{Page:()=>Qh});function Qh({query:e}){let t=e.get("q")||"",n=e.get("group")||"",o=le(()=>dc(t),[t]),r=_d(uc(o),`${t} ${e.get("journal")||""}`),[s,i]=h(0);return!o.length&&r.data&&!r.rows.length?a`<${Do} />`:a`<div class="page page-list">
    <div class="page-head">
      <h1>Executions</h1>
      <div class="page-head-end">
        <${ae} label="Group by" value=${n} choices=${[["","Flat"],["task","By task"],["agent","By agent"]]} onChange=${c=>X({group:c})} />
        <${kd} />
      </div>
    </div>
    <${Zh} text=${t} terms=${o} onEnter=${()=>i(s+1)} />
    <${L} problem=${r.problem} retry=${r.reload} />
    ${r.data?a`<${eg} live=${r} group=${n} filtered=${o.length>0} entered=${s} />`:!r.problem&&a`<${H} what="Loading executions" />`}
  </div>`}function Zh({text:e,terms:t,onEnter:n}){let o=r=>X({q:r.trim()},{replace:!0});return a`<div class="exec-filters">
    <${Ke} label="Filter executions" value=${e} onChange=${o} onEnter=${n} placeholder="status:failed agent:codex since:2d words">
      <kbd class="kbd">f</kbd>
    </${Ke}>
    <div class="exec-chips" role="group" aria-label="Quick filters">
      ${Ed.map(([r,s,i])=>{let l=t.some(c=>c.field===r&&c.value===s);return a`<${w} class="exec-chip" pressed=${l} onClick=${()=>o(Wn(pc(t,{field:r,value:s})))}>${i}</${w}>`})}
      ${t.filter(r=>!Ed.some(([s,i])=>s===r.field&&i===r.value)).map(r=>a`<${w} class="exec-chip exec-chip-term" icon="close" aria-label=${`Remove ${Wn([r])}`} onClick=${()=>o(Wn(t.filter(s=>s!==r)))}>${Wn([r])}</${w}>`)}
      ${t.length>0&&a`<${w} kind="ghost" class="exec-chip" onClick=${()=>o("")}>Clear</${w}>`}
    </div>
    <details class="hints">
      <summary><${k} name="filter" />Filters</summary>
      <dl>${cc.map(([r,s])=>a`<div><dt><code>${r}</code></dt><dd>${s}</dd></div>`)}</dl>
      <p class="soft">Words find executions with entries that contain them; <code>word*</code> finds prefixes.</p>
    </details>
  </div>`}function eg({live:e,group:t,filtered:n,entered:o}){let[r,s]=h(-1),i=ye("density"),l=ng(),c=le(()=>tg(e.rows,t,e.all),[e.rows,t,e.all]),d=Yh[l?"phone":i==="comfortable"?"comfortable":"compact"],u=p=>{let f=r+p;for(;c[f]?.group!==void 0;)f+=p;c[f]&&s(f)};return fe("Executions",{j:{label:"next execution",run:()=>u(1)},k:{label:"previous execution",run:()=>u(-1)},Enter:{label:"open it",run:()=>c[r]?.id&&ce(`/x/${c[r].id}`)}}),_(()=>{if(!o||e.loading||document.activeElement?.hasAttribute("data-search"))return;let p=c.findIndex(f=>f.group===void 0);s(-1),setTimeout(()=>s(p))},[o,e.loading]),_(()=>{if(r<0)return;document.querySelector(`[data-index="${r}"] .exec-link`)?.focus({preventScroll:!0})},[r]),c.length?a`<div class="exec-list panel">
    <p class="visually-hidden" role="status">${e.rows.length}${e.all?"":" or more"} ${e.rows.length===1&&e.all?"execution":"executions"}${n?" match":""}</p>
    <${Ot}
      label="Executions"
      rows=${c}
      height=${d}
      selected=${r}
      head=${Xh}
      onNear=${e.more}
      row=${(p,f)=>p.group!==void 0?a`<${fc} key=${`group ${p.group}`} ...${p} />`:a`<${sn} key=${p.id} row=${p} index=${f} selected=${f===r} onFocus=${()=>s(f)} />`}
    />
  </div>`:a`<${z} icon="search" title="No matching executions."><a href=${x("/executions",{})}>Show all</a></${z}>`}function tg(e,t,n){if(t!=="task"&&t!=="agent")return e;let o=new Map;for(let r of e){let s=(t==="task"?r.task_id:r.actor)||"";o.set(s,[...o.get(s)||[],r])}return[...o].flatMap(([r,s])=>[{group:r,count:s.length,by:t,more:!n},...s])}function ng(){let[e,t]=h(Go.matches);return _(()=>{let n=()=>t(Go.matches);return Go.addEventListener("change",n),()=>Go.removeEventListener("change",n)},[]),e}var Ed,Yh,Xh,Go,Md=E(()=>{Tr();Po();wd();Sr();Sd();v();oe();Ae();U();et();F();Ed=[["status","open","Open"],["only","waiting","Waiting for a person"],["only","in_doubt","In doubt"],["only","interrupted","Interrupted"],["only","owed","Owed"],["status","failed","Failed"]],Yh={compact:48,comfortable:60,phone:104},Xh=a`<div class="exec exec-head" aria-hidden="true">
  <span>state</span><span>execution</span><span>plan</span><span></span><span class="exec-last">last entry</span>
</div>`,Go=matchMedia("(max-width: 720px)")});var Id={};Ce(Id,{Page:()=>sg});function sg(){let{data:e,problem:t,reload:n}=D({by:[Z()]},i=>T("/v1/alerts",{limit:100},{signal:i})),[o,r]=h(null),s=e?.alerts??[];return _(()=>{let i=setInterval(n,og);return()=>clearInterval(i)},[]),a`<div class="page">
    <div class="page-head"><h1>Alerts</h1><p class="soft">What somebody should look at now. <code>tallystick serve --alert URL</code> sends these to chat or mail.</p></div>
    <${L} problem=${t} retry=${n} />
    ${e?s.length?a`<${R} flush><${rg} alerts=${s} onSilence=${r} /><//>
            ${e.more?.length?a`<p class="soft">There are more of: ${e.more.map(i=>Ad[i]).join(", ")}.</p>`:null}`:a`<${R}><${z} icon="check" title="Nothing needs you." /><//>`:!t&&a`<${H} />`}
    ${o&&a`<${ag} alert=${o} onClose=${()=>r(null)} onDone=${()=>(r(null),n())} />`}
  </div>`}function Cd(e){return e.rule==="question_waits"?x(`/approvals/${e.about}`):e.execution_id?x(`/x/${e.execution_id}`):""}function rg({alerts:e,onSilence:t}){return a`<ul class="alerts" aria-label="Alerts">
    ${e.map(n=>a`<li key=${`${n.rule}/${n.about}`}>
      <div>
        <p><strong>${Ad[n.rule]}</strong> · <span class="soft">since <${N} at=${n.since} />${n.who?a`, <${m} text=${n.who} />`:null}</span></p>
        <p>${Cd(n)?a`<a href=${Cd(n)}><${m} text=${n.text} /></a>`:a`<${m} text=${n.text} />`}</p>
        <p class="soft"><${m} text=${[n.title,n.to_do].filter(Boolean).join(" · ")} /></p>
      </div>
      ${n.silenced?a`<span class="soft">silenced until <${N} at=${n.silenced} /></span>`:a`<${w} onClick=${()=>t(n)}>Silence<//>`}
    </li>`)}
  </ul>`}function ag({alert:e,onClose:t,onDone:n}){let o=Ie(),[r,s]=h(""),[i,l]=h(null),c=async d=>{d.preventDefault(),await Te("/v1/alerts/silences",{rule:e.rule,about:e.about,until:Jo,why:r}).then(()=>($e(`Silenced for ${Jo}.`,"ok"),n()),l)};return a`<${Qe} title="Silence this alert" onClose=${t}>
    <p><${m} text=${e.text} /></p>
    ${o?.may_decide?a`<form onSubmit=${c}>
          <label class="field"><span>Why no messages for ${Jo}</span>
            <input value=${r} required onInput=${d=>s(d.target.value)} /></label>
          <${L} problem=${i} />
          <${w} kind="primary" type="submit" disabled=${!r.trim()}>Silence for ${Jo}<//>
        </form>`:a`<${Ge} />`}
  <//>`}var Ad,Jo,og,Od=E(()=>{G();nn();v();te();U();Fe();F();Ad={question_waits:"A question waits",in_doubt:"In doubt",interrupted:"Interrupted",run_held:"A run is held",run_failed:"A run failed",undo_expires:"An undo expires",hook_silent:"Hooks are silent",tool_failing:"A tool fails more than usual",step_slow:"A step takes long",verify_failed:"Verification failed"},Jo="8h",og=3e4});function Nd({onDone:e}){let[t,n]=h({}),[o,r]=h(!1),[s,i]=h(null),[l,c]=h(null);if(l)return a`<${Wr} made=${l} onDone=${e} />`;let d=(p,f,$,g={})=>a`
    <label class="field" key=${p}><span>${f} ${$&&a`<span class="faint">${$}</span>`}</span>
      <input value=${t[p]||""} aria-invalid=${s?.field===p?"true":null} spellcheck="false" autocomplete="off" ...${g}
        onInput=${b=>n({...t,[p]:b.target.value})} /></label>`;return a`<form class="webhook-form" onSubmit=${async p=>{p.preventDefault();let f=Object.entries(t).map(([b,C])=>[b,C.trim()]).filter(([,b])=>b),{kinds:$,...g}=Object.fromEntries(f);$&&(g.kinds=$.split(/[,\s]+/).filter(Boolean)),o&&(g.needs_person=!0),await Te("/v1/webhooks",g).then(c,i)}}>
    ${d("name","Name","small letters, digits, dots and dashes",{required:!0})}
    ${d("address","Address","https://…",{required:!0,type:"url"})}
    <label class="check"><input type="checkbox" checked=${o} onChange=${p=>r(p.target.checked)} /> Only what a person has to act on</label>
    <details><summary>Only some entries</summary>${ig.map(([p,f,$])=>d(p,f,$))}</details>
    <${L} problem=${s} />
    <${w} kind="primary" type="submit">Add it<//>
  </form>`}function Wr({made:e,onDone:t}){return a`<div class="webhook-form">
    <p>Messages are signed with this secret. It is shown this once: give it to the receiver now.</p>
    <p class="command"><code>${e.secret}</code><${ge} text=${e.secret||""} what="the secret" /></p>
    ${(e.notes||[]).map(n=>a`<p class="warning-note"><${m} text=${n} /></p>`)}
    <${w} kind="primary" onClick=${t}>Done<//>
  </div>`}var ig,Kr=E(()=>{G();v();F();ig=[["kinds","Kinds of entry","such as approval_requested, with commas"],["execution_id","Execution","ex_…"],["task_id","Task",""],["tool","Tool",""],["actor","Actor","an agent or a person"]]});function ln({path:e,body:t,button:n,kind:o="primary",done:r,children:s}){let[i,l]=h(null),[c,d]=h(!1);return a`<form class="webhook-form" onSubmit=${async p=>{p.preventDefault(),d(!0),await Te(e,t||{}).then(r,l),d(!1)}}>
    ${s}
    <${L} problem=${i} />
    <${w} kind=${o} type="submit" disabled=${c}>${n}<//>
  </form>`}function lg({webhook:e,onDone:t}){let n=()=>($e("The test is recorded, and is being delivered.","ok"),t());return a`<${ln} path=${qt(e,"test")} button="Send a test" done=${n}>
    <p>An entry is recorded that is delivered to this webhook alone, as <code>webhook.test</code>.</p>
  <//>`}function cg({webhook:e,onDone:t}){return a`<${ln} path=${qt(e,"replay")} button="Try now" done=${()=>($e("It tries at once.","ok"),t())}>
    <p>What waits is tried at once. A webhook that was paused or disabled goes on.</p>
  <//>`}function dg({webhook:e,onDone:t}){let[n,o]=h("");return a`<${ln} path=${qt(e,"replay")} body=${{since:Number(n)}} button="Deliver again" done=${()=>($e("They are delivered again.","ok"),t())}>
    <p>What fits this webhook is delivered again, with the same ids: a receiver that keeps them handles nothing twice.</p>
    <label class="field"><span>From this entry on</span>
      <input type="number" min="1" required value=${n} onInput=${r=>o(r.target.value)} /></label>
  <//>`}function ug({webhook:e,onDone:t}){let{data:n,problem:o}=D({kinds:["webhook_"],by:[Z(),e.name]},r=>T(qt(e,"dead"),{limit:100},{signal:r}));return a`<${L} problem=${o} />
    ${n?a`<ul class="dead-deliveries">${n.deliveries.map(r=>a`<li key=${r.seq}>
          <p>Entry ${r.seq}${r.execution_id&&a` of <a href=${x(`/x/${r.execution_id}`)}><code>${r.execution_id}</code></a>`}, after ${r.attempts} attempts, <${N} at=${r.at} /></p>
          <p class="soft"><${m} text=${r.error} /></p></li>`)}</ul>`:!o&&a`<${H} />`}
    ${n?.next_cursor&&a`<p class="soft">The first 100 of ${e.dead}.</p>`}
    <${ln} path=${qt(e,"replay")} body=${{dead:!0}} button="Deliver them again" done=${()=>($e("They are delivered again.","ok"),t())} />`}function pg({webhook:e,onDone:t}){let[n,o]=h(null);return n?a`<${Wr} made=${n} onDone=${t} />`:a`<${ln} path=${qt(e,"rotation")} button="Make a new secret" done=${o}>
    <p>For a day each message has both signatures, so that the receiver can change over.</p>
  <//>`}function fg({webhook:e,onDone:t}){return a`<${ln} path=${qt(e,"removal")} button="Remove it" kind="danger" done=${()=>($e("It is removed.","ok"),t())}>
    <p>Its address is told nothing more. Its secret, what waits and what was given up are forgotten. To set it up again, add it anew.</p>
  <//>`}var Yo,qt,Vr=E(()=>{G();v();te();U();F();Kr();Yo={test:{label:"Test",title:"Test",suits:e=>e.state!=="disabled",form:lg},retry:{label:"Try now",title:"Try at once:",suits:e=>e.state!=="active"||!!e.waiting,form:cg},dead:{label:"Given up",title:"Given up:",suits:e=>!!e.dead,form:ug},replay:{label:"Replay",title:"Replay",suits:()=>!0,form:dg},rotate:{label:"New secret",title:"New secret for",suits:()=>!0,form:pg},remove:{label:"Remove",title:"Remove",suits:()=>!0,form:fg}};qt=(e,t)=>`/v1/webhooks/${encodeURIComponent(e.name)}/${t}`});function Ld({webhooks:e,onChoose:t}){return a`<ul class="webhooks" aria-label="Webhooks">
    ${e.map(n=>a`<li key=${n.name}>
      <div>
        <p><strong><${m} text=${n.name} /></strong> <${K} state=${n.state} /> · <code><${m} text=${n.host} /></code></p>
        <p class="soft">Hears of <${$g} webhook=${n} />.</p>
        <p class="soft"><${mg} webhook=${n} /></p>
        ${n.last_error&&a`<p class="webhook-error">Last error: <${m} text=${n.last_error} />${n.last_error_at&&a`, <${N} at=${n.last_error_at} />`}</p>`}
      </div>
      <div class="webhook-actions">
        ${Object.entries(Yo).map(([o,{label:r,suits:s}])=>s(n)&&a`<${w} onClick=${()=>t(o,n)} aria-label=${`${r} ${n.name}`}>${r}<//>`)}
      </div>
    </li>`)}
  </ul>`}function $g({webhook:e}){let{kinds:t=[],execution_id:n,task_id:o,tool:r,actor:s}=e,i=[e.needs_person&&"what a person has to act on",t.length>0&&a`entries of ${t.length>1?"the kinds":"the kind"} <code>${t.join(", ")}</code>`,n&&a`execution <a href=${x(`/x/${n}`)}><code>${n}</code></a>`,o&&a`task <${m} text=${o} />`,r&&a`calls of <code><${m} text=${r} /></code>`,s&&a`what <${m} text=${s} /> recorded`].filter(Boolean);return i.length?a`${i.map((l,c)=>a`${c>0&&" and "}${l}`)}`:a`every entry`}function mg({webhook:e}){let{delivered:t=0,behind:n=0,waiting:o=0,dead:r=0}=e,s=[`${t} delivered`,n>0&&`${n} ${n===1?"entry":"entries"} behind`,o>0&&`${o} waiting`,r>0&&`${r} given up`,!e.delivering&&"no process delivers now"].filter(Boolean);return a`${s.join(", ")}${e.last_success&&a`, the last one <${N} at=${e.last_success} />`}${e.next_attempt&&a`, next attempt at <${N} at=${e.next_attempt} form="absolute" />`}`}var Rd=E(()=>{v();U();F();Vr()});var Dd={};Ce(Dd,{Page:()=>gg});function gg(){let{data:e,problem:t,reload:n}=D({kinds:["webhook_"],by:[Z()]},c=>T("/v1/webhooks",{limit:100},{signal:c})),o=t?.status===403,[r,s]=h(null);_(()=>{if(o)return;let c=setInterval(n,hg);return()=>clearInterval(c)},[o]);let i=()=>(s(null),n()),l=(c,d)=>s({action:c,webhook:d});return a`<div class="page">
    <div class="page-head"><h1>Webhooks</h1>
      <p class="soft">Addresses that are told of new entries. <code>tallystick serve</code> or <code>tallystick notify</code> delivers.</p></div>
    ${o?a`<${R}><p>Webhooks are shown to admins only.</p><${Ge} scope="admin" onDone=${n} /><//>`:a`<${L} problem=${t} retry=${n} />`}
    ${e&&a`<p><${w} kind="primary" onClick=${()=>s({action:"add"})}>Add a webhook<//></p>`}
    ${e?e.webhooks.length?a`<${R} flush><${Ld} webhooks=${e.webhooks} onChoose=${l} /><//>`:a`<${R}><${z} icon="check" title="No webhooks.">Add one: its address hears of each new entry, or of those that you choose.<//><//>`:!t&&a`<${H} />`}
    ${r&&a`<${bg} ...${r} onClose=${i} />`}
  </div>`}function bg({action:e,webhook:t,onClose:n}){let o=Ie(),r=Yo[e],s=t?`${r.title} ${t.name}`:"Add a webhook",i=r?.form||Nd;return a`<${Qe} title=${s} onClose=${n}>
    ${o.scopes.includes("admin")?a`<${i} webhook=${t} onDone=${n} />`:a`<${Ge} scope="admin" />`}
  <//>`}var hg,Pd=E(()=>{G();nn();v();te();U();Fe();F();Kr();Vr();Rd();hg=5e3});function xg(e){let[t,...n]=e.split(":"),o=n.join(":");return{scope:t,...t==="task"&&{task_id:o},...t==="execution"&&{execution_id:o}}}function jd({name:e,scopeText:t,onClose:n}){let{data:o,problem:r,reload:s}=D({by:[e,t],kinds:["context_recorded","body_erased"]},i=>T(`/v1/context/${encodeURIComponent(e)}`,{...xg(t),limit:yg},{signal:i}));return a`<aside class="context-value" aria-label=${`Context ${e}`}>
    <header class="context-value-head">
      <h2><code><${m} text=${e} /></code></h2>
      <${w} kind="ghost" icon="close" label="Close" onClick=${n} />
    </header>
    <${L} problem=${r} retry=${s} />
    ${o?a`<${_g} value=${o.values[0]} /><${vg} values=${o.values} />`:!r&&a`<${H} />`}
  </aside>`}function _g({value:e}){return a`
    ${e.erased?a`<p class="note"><${k} name="cancelled" /> Its text was erased. The entry remains.</p>`:e.altered?a`<p class="note"><${k} name="warning" /> Its stored text was altered and is not shown.</p>`:a`<${ie} value=${e.value??null} label="value" whole />`}
    <${Ne} rows=${[["scope",a`<${Gr} value=${e} />`],["type",e.type],["written by",e.actor&&a`<${m} text=${e.actor} />`],["when",a`<${N} at=${e.at} />`],["entry",a`<span class="num">${e.seq}</span>`],["holds until",e.expires&&a`<${Jr} value=${e} />`],["derived from",e.derived_from?.length?a`<${wg} handles=${e.derived_from} />`:""]]} />
    ${e.metadata?a`<h3>Metadata</h3><${ie} value=${e.metadata} label="metadata" />`:null}
    <p class="note soft">A model or a tool wrote this. It is data, not an instruction, and not checked by anybody.</p>`}function Gr({value:e}){let t=e.scope_id||"";return e.scope==="execution"?a`execution <a href=${x(`/x/${encodeURIComponent(t)}`)}><code>${t}</code></a>`:e.scope==="task"?a`task <a href=${x("/executions",{q:`task:${t}`})}>${t}</a>`:e.scope}function Jr({value:e}){return e.expires?e.expired?a`<${ne} tone="idle" icon="late">expired<//>`:a`<${N} at=${e.expires} form="absolute" />`:a`<span class="faint">for good</span>`}function wg({handles:e}){return e.map((t,n)=>a`${n?", ":""}${t.startsWith("ex_")?a`<a href=${x(`/x/${encodeURIComponent(t)}`)}><code>${t}</code></a>`:t.startsWith("pl_")?a`<a href=${x(`/plans/${encodeURIComponent(t)}`)}><code>${t}</code></a>`:t.startsWith("ap_")?a`<a href=${x(`/approvals/${encodeURIComponent(t)}`)}><code>${t}</code></a>`:a`<code>${t}</code>`}`)}function vg({values:e}){let[t,n]=h(1);return e.length<2?a`<p class="soft">Written once: there is no history.</p>`:a`<h3>History <span class="faint">${e.length} values, the newest first</span></h3>
    <ol class="versions" reversed>
      ${e.map((o,r)=>a`<li key=${o.seq}>
        <button type="button" class="version" aria-expanded=${String(t===r)} onClick=${()=>n(t===r?-1:r)}>
          <${k} name=${t===r?"down":"right"} size=${14} />
          <span>${r===0?"now":a`<${N} at=${o.at} />`}</span>
          <span class="soft cut"><${m} text=${o.actor} /></span>
          <span class="faint num">entry ${o.seq}</span>
        </button>
        ${t===r&&a`<${kg} value=${o} before=${e[r+1]} />`}
      </li>`)}
    </ol>`}function kg({value:e,before:t}){return e.erased?a`<p class="note">Its text was erased.</p>`:e.altered?a`<p class="note">Its stored text was altered and is not shown.</p>`:!t||t.erased||t.altered?a`<${ie} value=${e.value??null} label="value" />`:a`<${qe} before=${t.value} after=${e.value} titles=${["before","after"]} />`}var yg,cn,qd=E(()=>{G();v();oe();te();U();F();yg=100,cn=e=>e.scope_id?`${e.scope}:${e.scope_id}`:e.scope});var Bd={};Ce(Bd,{Page:()=>Tg});function Tg({query:e}){let[t,n,o,r]=["text","scope","type","expired"].map(b=>e.get(b)||""),[s,i]=[e.get("key")||"",e.get("at")||"project"],[l,c]=h(1),d=D({by:[t,n,o,r,l],kinds:["context_recorded","body_erased"]},b=>Mg({text:t,scope:n,type:o,include_expired:!!r},l,b)),u=d.data?.values??[],p=u.findIndex(b=>b.key===s&&cn(b)===i),f=b=>b&&X({key:b.key,at:cn(b)},{replace:!!s}),$=()=>X({key:"",at:""});fe("Context",{j:{label:"next key",run:()=>f(u[Math.min(p+1,u.length-1)])},k:{label:"previous key",run:()=>f(u[Math.max(p-1,0)])},Escape:!!s&&{label:"close it",run:$}});let g=!!(t||n||o||r);return a`<div class=${`page context ${s?"has-detail":""}`}>
    <div class="page-head"><h1>Context</h1><p class="soft">Values that agents keep across sessions. The newest value of a key counts; the history stays.</p></div>
    <div class="filters">
      <${Ke} label="Search keys and values" placeholder="Search keys and values" value=${t} onChange=${b=>X({text:b},{replace:!0})} />
      <${ae} label="Scope" value=${n} choices=${Eg} onChange=${b=>X({scope:b})} />
      ${o&&a`<${w} icon="close" onClick=${()=>X({type:""})}>type ${o}<//>`}
      <label class="check"><input type="checkbox" checked=${!!r} onChange=${b=>X({expired:b.target.checked?"1":""})} /> show expired</label>
    </div>
    <${L} problem=${d.problem} retry=${d.reload} />
    <div class="beside">
      ${d.data?u.length?a`<${R} flush><${Cg} values=${u} chosen=${p} onOpen=${f} />
              ${d.data.more&&a`<div class="more-row"><${w} onClick=${()=>c(l+1)}>Show more<//></div>`}<//>`:a`<${R}><${Ig} filtered=${g} /><//>`:!d.problem&&a`<${H} />`}
      ${s&&a`<${jd} key=${s+i} name=${s} scopeText=${i} onClose=${$} />`}
    </div>
  </div>`}async function Mg(e,t,n){let o=[],r="";for(let s=0;s<t;s+=1){let i=await T("/v1/context",{...e,limit:Sg,cursor:r},{signal:n});if(o.push(...i.values),r=i.next_cursor||"",!r)break}return{values:o,more:!!r}}function Cg({values:e,chosen:t,onOpen:n}){let o=r=>x(location.pathname+location.search,{key:r.key,at:cn(r)});return a`<${At} label="Context" rows=${e} id=${r=>`${cn(r)} ${r.key}`}
    selected=${e[t]?`${cn(e[t])} ${e[t].key}`:""} onSelect=${n}
    columns=${[{title:"key",class:"col-key",cell:r=>a`<a href=${o(r)}><code><${m} text=${r.key} /></code></a>`},{title:"value",class:"col-value",cell:r=>a`<span class="preview"><${m} text=${Ag(r)} /></span>`},{title:"type",class:"col-type",cell:r=>r.type?a`<a class="chip" href=${x("/context",{type:r.type})}>${r.type}</a>`:a`<span class="faint">–</span>`},{title:"scope",class:"col-wide",cell:r=>a`<${Gr} value=${r} />`},{title:"by",class:"col-wide",cell:r=>r.actor},{title:"written",cell:r=>a`<span class="soft"><${N} at=${r.at} /></span>`},{title:"until",class:"col-wide",cell:r=>a`<span class="soft"><${Jr} value=${r} /></span>`},{title:"values",class:"right col-wide",cell:r=>(r.versions??1)>1?a`<${ne} title="number of values over time">${r.versions}<//>`:a`<span class="faint">1</span>`}]} />`}function Ag(e){if(e.erased||e.altered)return e.erased?"erased":"altered";let t=typeof e.value=="string"?e.value:se(e.value??null);return t.length>160?`${t.slice(0,160)}…`:t}function Ig({filtered:e}){return e?a`<${z} icon="search" title="No matches."><p><a href=${x("/context")}>Show everything</a></p><//>`:a`<${z} icon="context" title="No context values yet.">
    <p>An agent stores a value for the next session with <code>record_context</code>, a person
    with <code>tallystick record context KEY --value TEXT</code>.</p><//>`}var Sg,Eg,Fd=E(()=>{G();qd();v();Le();Ae();te();U();F();Sg=100,Eg=[["","all"],["project","project"],["task","task"],["execution","execution"]]});var zd={};Ce(zd,{Page:()=>Ng});function Ng({query:e}){let[t,n,o]=["text","status","task_id"].map(f=>e.get(f)||""),[r,s]=h(Yr),[i,l]=h(-1),{data:c,problem:d,reload:u}=D({by:[t,n,o,r],kinds:["plan_"]},f=>Lg({text:t,status:n,task_id:o},r,f)),p=c?.plans??[];return fe("Plans",{j:{label:"next plan",run:()=>l(Math.min(i+1,p.length-1))},k:{label:"previous plan",run:()=>l(Math.max(i-1,0))},Enter:p[i]&&{label:"open it",run:()=>ce(x(`/plans/${p[i].id}`))}}),a`<div class="page">
    <div class="page-head"><h1>Plans</h1><p class="soft">Planned steps, and whether and how each can be undone.</p></div>
    <div class="filters">
      <${Ke} label="Search plans" placeholder="Search titles, goals and steps" value=${t} onChange=${f=>X({text:f},{replace:!0})} />
      <${ae} label="Status" value=${n} choices=${Og} onChange=${f=>X({status:f})} />
      ${o&&a`<${w} icon="close" onClick=${()=>X({task_id:""})}>task ${o}<//>`}
    </div>
    <${L} problem=${d} retry=${u} />
    ${c?p.length?a`<${R} flush><${Rg} plans=${p} chosen=${p[i]?.id??""} />
            ${c.more&&a`<div class="more-row"><${w} onClick=${()=>s(r+Yr)}>Show more<//></div>`}<//>`:a`<${R}><${Dg} filtered=${!!(t||n||o)} /><//>`:!d&&a`<${H} />`}
  </div>`}async function Lg(e,t,n){let o=[],r="";do{let s=await T("/v1/plans",{...e,limit:Yr,cursor:r},{signal:n});o.push(...s.plans),r=s.next_cursor||""}while(r&&o.length<t);return{plans:o,more:!!r}}function Rg({plans:e,chosen:t}){return a`<${At} label="Plans" rows=${e} id=${n=>n.id} selected=${t}
    onSelect=${n=>ce(x(`/plans/${n.id}`))}
    columns=${[{title:"status",cell:n=>a`<${K} state=${n.status} quiet />`},{title:"plan",class:"col-title",cell:n=>a`<a href=${x(`/plans/${n.id}`)}><strong><${m} text=${n.erased?"erased":n.altered?"altered":n.title||n.id} /></strong></a>
          <span class="plan-goal soft"><${m} text=${n.goal} /></span>`},{title:"steps",class:"right num",cell:n=>n.step_count??0},{title:"revision",class:"right num col-wide",cell:n=>n.revision},{title:"task",class:"col-wide",cell:n=>n.task_id||a`<span class="faint">–</span>`},{title:"type",class:"col-wide",cell:n=>n.type||a`<span class="faint">–</span>`},{title:"by",class:"col-wide",cell:n=>n.actor},{title:"revised",cell:n=>a`<span class="soft"><${N} at=${n.at} /></span>`}]} />`}function Dg({filtered:e}){return e?a`<${z} icon="search" title="No matching plans."><p><a href=${x("/plans")}>Show all plans</a></p><//>`:a`<${z} icon="plans" title="No plan yet.">
    <p>An agent records one with <code>record_plan</code> before it acts. Each step says whether and how it can be undone.</p><//>`}var Yr,Og,Hd=E(()=>{G();v();Ae();te();U();F();Yr=100,Og=[["","all"],["active","active"],["archived","archived"],["cancelled","cancelled"]]});function Ud({id:e,revisions:t,shown:n,from:o,counts:r}){return a`<ol class="revisions" reversed aria-label="Revisions, the newest first">
    ${t.map(s=>{let i=s.revision,l=r.get(i)??0;return a`<li key=${i} class=${i===n?"is-chosen":null}>
        <a class="revision" href=${x(`/plans/${e}`,{revision:i})} aria-current=${i===n&&!o?"true":null}>
          <strong>Revision ${i}</strong>
          <span class="soft"><${N} at=${s.at} /></span>
        </a>
        <p class="soft revision-why">${s.erased?"Its text was erased.":s.altered?"Its stored text was altered and is not shown.":s.reason||(i===1?"First version.":"")}</p>
        <p class="revision-end">
          ${l?a`<span class="soft">${l} ${l===1?"execution":"executions"}</span>`:a`<span class="faint">not carried out</span>`}
          ${i>1&&a`<a href=${x(`/plans/${e}`,{from:i-1,to:i})} aria-current=${o===i-1&&n===i?"true":null}>
            what changed<span class="visually-hidden"> in revision ${i}</span></a>`}
        </p>
      </li>`})}
  </ol>`}function Wd({before:e,after:t}){let n=Uc(e.steps??[],t.steps??[]),o=Wc(e,t),r=n.filter(s=>s.change!=="same").length;return a`<div class="revision-diff">
    <p class="note">
      <strong>Revision ${e.revision} to ${t.revision}.</strong>
      ${t.reason&&a` <${m} text=${t.reason} />`}
      <span class="soft"> ${r} of ${n.length} steps differ${o.length?`, and ${o.map(s=>s.name).join(", ")}`:""}.</span>
    </p>
    ${o.length?a`<${qe} before=${Object.fromEntries(o.map(s=>[s.name,s.before]))}
      after=${Object.fromEntries(o.map(s=>[s.name,s.after]))} titles=${[`revision ${e.revision}`,`revision ${t.revision}`]} />`:null}
    <h2 class="visually-hidden">Steps</h2>
    <ol class="steps">
      ${n.map(s=>a`<li key=${s.id} class=${`step-${s.change}`}>
        <div class="step-body"><${jg} row=${s} titles=${[`revision ${e.revision}`,`revision ${t.revision}`]} /></div>
      </li>`)}
    </ol>
  </div>`}function jg({row:e,titles:t}){let[n,o,r]=Pg[e.change],s=e.after??e.before,i=a`<${ne} tone=${n} icon=${o}>${r}<//>`;return e.change==="added"?a`<p class="step-mark">${i}</p><${Rr} step=${s} />`:a`<div class="step-head">
      <h3><${m} text=${s?.title||e.id} /></h3><code class="soft"><${m} text=${e.id} /></code><span class="step-end">${i}</span>
    </div>
    ${e.change==="changed"&&a`<${qe} before=${e.before} after=${e.after} titles=${t} />`}
    ${e.change==="removed"&&a`<p class="soft"><${k} name="cancelled" size=${14} /> Executions that began it keep it, with its undo.</p>`}`}var Pg,Kd=E(()=>{v();oe();U();F();Ko();Wo();Pg={added:["ok","unplanned","added"],removed:["failed","cancelled","removed"],changed:["doubt","edit","changed"],moved:["running","down","moved"],same:["idle","check","unchanged"]}});var Vd={};Ce(Vd,{Page:()=>qg});function qg({id:e,query:t}){let n=D({by:[e],kinds:["plan_","body_erased"]},r=>T(`/v1/plans/${encodeURIComponent(e)}`,{},{signal:r})),o=D({by:[e],kinds:["execution_","decision_recorded","action_ended"]},r=>T("/v1/executions",{plan_id:e,limit:Xr},{signal:r}));return n.data?a`<${Bg} id=${e} query=${t} status=${n.data.status} revisions=${n.data.revisions} executions=${o.data?.executions??[]} />`:a`<div class="page"><h1>Plan</h1><${L} problem=${n.problem} retry=${n.reload} />${!n.problem&&a`<${H} />`}</div>`}function Bg({id:e,query:t,status:n,revisions:o,executions:r}){let s=o[0],i=Number(t.get("to")||t.get("revision"))||s.revision,l=o.find(p=>p.revision===i)??s,c=o.find(p=>p.revision===Number(t.get("from"))),d=new Map;for(let p of r)d.set(p.revision,(d.get(p.revision)??0)+1);let u=p=>{let f=o.find($=>$.revision===l.revision+p);f&&X({revision:c?"":f.revision,to:c?f.revision:"",from:c&&f.revision-1||""},{replace:!0})};return fe("Plan",{"[":{label:"previous revision",run:()=>u(-1)},"]":{label:"next revision",run:()=>u(1)},d:l.revision>1&&{label:"show changes or steps",run:()=>X(c?{from:"",to:"",revision:l.revision}:{from:l.revision-1,to:l.revision,revision:""})}}),a`<div class="page plan">
    <header class="plan-head">
      <p><a class="back" href=${x("/plans")}>Plans</a></p>
      <div class="page-head">
        <h1><${m} text=${l.erased?"Erased plan":l.altered?"Altered plan":l.title||e} /></h1>
        <${K} state=${n} />
        <div class="page-head-end"><${Ue} id=${e} /></div>
      </div>
      ${l.goal&&a`<p class="plan-goal"><${m} text=${l.goal} /></p>`}
      <p class="soft plan-about">
        ${[s.task_id&&a`task <a href=${x("/executions",{q:`task:${s.task_id}`})}>${s.task_id}</a>`,s.type,`by ${s.actor}`].filter(Boolean).map((p,f)=>a`${f?" · ":""}${p}`)}
      </p>
      ${n!=="active"&&s.retired_reason&&a`<p class="note">Retired: ${s.retired_reason}</p>`}
    </header>
    <div class="plan-body">
      <section class="plan-main" aria-label=${c?"What changed":`Revision ${l.revision}`}>
        ${c?a`<${Wd} before=${c} after=${l} />`:a`<${Fg} revision=${l} step=${t.get("step")||""} />`}
        <${R} flush title=${`Executions${r.length===Xr?`, the newest ${Xr}`:""}`}>
          ${r.length?a`<${zg} runs=${r} />`:a`<${z} icon="executions" title="No executions yet." />`}
        <//>
      </section>
      <aside class="plan-side" aria-label="Revisions">
        <${R} title="Revisions"><${Ud} id=${e} revisions=${o} shown=${l.revision} from=${c?.revision??0} counts=${d} /><//>
      </aside>
    </div>
  </div>`}function Fg({revision:e,step:t}){let n=e.steps??[],o=n.filter(i=>i.estimate!==void 0&&i.estimate!==null),r=o.reduce((i,l)=>i+Number(l.estimate),0),s=a`Steps of revision ${e.revision}
    <span class="soft panel-note">${o.length?`estimated ${pe(r*1e3)}${o.length<n.length?` for ${o.length} of ${n.length}`:""}`:""}</span>`;return a`
    ${e.warnings?.length?a`<ul class="warnings" aria-label="Warnings">${e.warnings.map(i=>a`<li><${k} name="warning" /> <${m} text=${i} /></li>`)}</ul>`:null}
    ${e.reasoning&&a`<details class="reasoning"><summary>Reasoning</summary><p><${De} text=${e.reasoning} /></p></details>`}
    <${R} flush title=${s}><${Kc} steps=${n} chosen=${t} /><//>`}function zg({runs:e}){return a`<${At} label="Executions of this plan" rows=${e} id=${t=>t.id}
    columns=${[{title:"status",cell:t=>a`<${K} state=${t.status} quiet />`},{title:"execution",cell:t=>a`<a href=${x(`/x/${t.id}`)}><code>${t.id}</code></a>`},{title:"revision",class:"right num",cell:t=>t.revision},{title:"plan",class:"col-wide",cell:t=>a`<${It} row=${t} />`},{title:"by",class:"col-wide",cell:t=>t.client||t.actor},{title:"started",cell:t=>a`<span class="soft"><${N} at=${t.started} /></span>`},{title:"took",class:"right col-wide",cell:t=>a`<${$t} from=${t.started} to=${t.ended} />`}]} />`}var Xr,Gd=E(()=>{G();v();oe();Ae();te();Kd();Ko();U();F();je();Xr=100});function Jd({a:e,b:t,arguments:n=[],results:o=[]}){if(!e||!t)return[e?"only in A":"only in B"];if([e.state,t.state].includes("planned"))return e.state===t.state?[]:["state"];let r=[];e.state!==t.state&&r.push("state"),(e.attempts??0)!==(t.attempts??0)&&r.push("attempts"),n.length&&r.push("arguments"),o.length&&r.push("result");let[s,i]=[e.seconds??0,t.seconds??0].sort((l,c)=>l-c);return i>1&&i>s*Hg&&r.push("duration"),r}function Yd(e){return e.map(({path:t,a:n,b:o,only:r})=>({path:t.replace(/^\$\.?/,"")||"value",kind:{a:"removed",b:"added","":"changed"}[r??""],before:n,after:o}))}function Qr(e){let t=e.ended?(Date.parse(e.ended)-Date.parse(e.started))/1e3:null,n=o=>Object.values(o??{}).reduce((r,s)=>r+s,0);return{status:e.status,revision:e.revision??0,by:e.actor||e.client||"",started:e.started,took:t,steps:rt(e),actions:n(e.actions)+n(e.undos),failed:e.actions?.failed??0,in_doubt:e.in_doubt??0,undone:e.undos?.ok??0,owed:e.owed??0,unplanned:e.unplanned??0}}var Hg,Xd=E(()=>{nr();Hg=1.5});var tu={};Ce(tu,{Page:()=>Kg});function Kg({query:e}){let[t,n]=[e.get("a")||"",e.get("b")||""],o=e.get("show")==="all",r=D({kinds:["execution_"]},c=>T("/v1/executions",{limit:Ug},{signal:c})),s=!!(t&&n),i=D({by:[t,n],kinds:["execution_","action_"]},c=>s?T("/v1/comparison",{a:t,b:n},{signal:c}):Promise.resolve(null)),l=r.data?.executions??[];return a`<div class="page compare">
    <div class="page-head"><h1>Compare two executions</h1></div>
    <div class="compare-pick">
      <${Qd} side="A" value=${t} known=${l} onPick=${c=>X({a:c})} />
      <${w} icon="compare" label="Swap A and B" onClick=${()=>X({a:n,b:t})} />
      <${Qd} side="B" value=${n} known=${l} onPick=${c=>X({b:c})} />
    </div>
    <${L} problem=${i.problem} retry=${i.reload} />
    ${s?i.data?a`<${Xg} comparison=${i.data} all=${o} />
            <${Jg} comparison=${i.data} all=${o} />`:!i.problem&&a`<${H} />`:a`<${R}><${z} icon="compare" title="Choose two executions."><p>For example two executions of one plan: one that succeeded and one that failed.</p><//>
          <${Vg} chosen=${t||n} side=${t?"b":"a"} known=${l} /><//>`}
  </div>`}function Qd({side:e,value:t,known:n,onPick:o}){let r=`recent-${e}`;return a`<label class="field compare-field"><span>${e}</span>
    <input type="text" list=${r} value=${t} placeholder="ex_…" spellcheck="false" autocomplete="off" onChange=${s=>o(s.target.value.trim())} />
    <datalist id=${r}>${n.map(s=>a`<option key=${s.id} value=${s.id}>${s.title} (${s.status})</option>`)}</datalist>
  </label>`}function Vg({chosen:e,side:t,known:n}){let o=n.find(s=>s.id===e)?.plan_id,r=n.filter(s=>s.id!==e&&o&&s.plan_id===o).slice(0,Wg);return r.length?a`<div class="compare-suggested"><h2>Of the same plan</h2>
    <ul>${r.map(s=>a`<li key=${s.id}><${K} state=${s.status} quiet /> <a href=${x("/compare",t==="b"?{a:e,b:s.id}:{a:s.id,b:e})}><${m} text=${s.title||s.id} /></a> <code class="soft">${s.id}</code> <span class="soft"><${N} at=${s.started} /></span></li>`)}</ul>
  </div>`:null}function Jg({comparison:{a:e,b:t},all:n}){let[o,r]=[Qr(e),Qr(t)],s=l=>o[l]!==r[l]&&l!=="started",i=Gg.filter(([l])=>n||s(l)||l==="status");return a`<${R} flush>
    <table class="table compare-table">
      <thead><tr><th scope="col"><span class="visually-hidden">what</span></th>
        ${[e,t].map((l,c)=>a`<th scope="col"><span class="side">${"AB"[c]}</span> <a href=${x(`/x/${l.id}`)}><${m} text=${l.title||l.id} /></a> <code>${l.id}</code></th>`)}</tr></thead>
      <tbody>${i.map(([l,c])=>a`<tr key=${l} class=${s(l)?"differs":null}>
        <th scope="row">${c}</th>${[o,r].map(d=>a`<td>${Yg(l,d[l])}</td>`)}</tr>`)}</tbody>
    </table>
  <//>`}function Yg(e,t){return e==="status"?a`<${K} state=${t} />`:e==="started"?a`<${N} at=${t} />`:e==="took"?t===null?a`<span class="faint">not ended</span>`:pe(t*1e3):a`<span class="num">${t}</span>`}function Xg({comparison:e,all:t}){let n=e.rows.map(i=>({row:i,differs:Jd(i)})),o=n.filter(i=>i.differs.length),r=n.length-o.length,s=a`<label class="check"><input type="checkbox" checked=${t} onChange=${()=>X({show:t?"":"all"},{replace:!0})} /> show what is the same</label>`;return a`<${R} flush title=${`${o.length} of ${n.length} steps and calls differ`} actions=${s}>
    <p class="compare-legend soft"><span><span class="side">A</span> <a href=${x(`/x/${e.a.id}`)}><${m} text=${e.a.title||e.a.id} /></a></span>
      <span><span class="side">B</span> <a href=${x(`/x/${e.b.id}`)}><${m} text=${e.b.title||e.b.id} /></a></span></p>
    ${!o.length&&a`<${z} icon="check" title="No step or call differs." />`}
    <ul class="compare-rows">${(t?n:o).map(({row:i,differs:l})=>a`<${Qg} key=${`${i.kind} ${i.name}`} row=${i} differs=${l} />`)}</ul>
    ${!t&&r>0&&a`<p class="compare-note"><${w} kind="ghost" icon="down" onClick=${()=>X({show:"all"},{replace:!0})}>${`${r} ${r===1?"is":"are"} the same`}<//></p>`}
    ${!!e.left_out&&a`<p class="soft compare-note">${e.left_out} more are not shown; those that ended otherwise come first.</p>`}
    ${e.whole===!1&&a`<p class="soft compare-note">Only the first actions of a long execution are compared.</p>`}
  <//>`}function Qg({row:e,differs:t}){let[n,o]=h(!!e.arguments?.length),s=[["arguments",e.arguments??[]],["result",e.results??[]]].filter(([,i])=>i.length);return a`<li class=${t.length?"differs":null}>
    <div class="compare-step">
      <div class="compare-name"><strong><${m} text=${e.summary||e.name} /></strong> <code class="soft"><${m} text=${e.name} /></code>
        ${Zd[e.kind]&&a` <${ne} icon=${e.kind==="undo"?"unwinding":"unplanned"}>${Zd[e.kind]}<//>`}</div>
      <${eu} letter="A" side=${e.a} /><${eu} letter="B" side=${e.b} />
      <div class="compare-differs">${t.length?a`<${k} name="compare" size=${14} /> ${t.join(", ")}`:a`<span class="faint">same</span>`}
        ${s.length?a`<${w} kind="ghost" icon=${n?"down":"right"} aria-expanded=${String(n)} onClick=${()=>o(!n)}>${n?"hide":"show"}<//>`:null}</div>
    </div>
    ${n&&s.map(([i,l])=>a`<h3>${i}</h3>
      <div class="diff"><${wo} rows=${Yd(l)} titles=${["A","B"]} words=${{removed:"only in A",added:"only in B"}} /></div>`)}
    ${n&&e.cut&&a`<p class="soft">More differences are not shown.</p>`}
  </li>`}function eu({letter:e,side:t}){return t?a`<div class="compare-side"><span class="side">${e}</span> <${K} state=${t.state||"planned"} quiet />
    ${(t.attempts??0)>1&&a`<span class="soft">${t.attempts} attempts</span>`}
    ${t.seconds!==void 0&&t.seconds!==null&&a`<span class="num soft">${pe(t.seconds*1e3)}</span>`}</div>`:a`<div class="compare-side"><span class="side">${e}</span> <span class="faint">missing</span></div>`}var Ug,Wg,Gg,Zd,nu=E(()=>{G();Xd();v();oe();te();U();F();Ug=50,Wg=8;Gg=[["status","status"],["by","by"],["revision","plan revision"],["started","started"],["took","took"],["steps","steps"],["actions","actions"],["failed","failed"],["in_doubt","in doubt"],["unplanned","unplanned"],["undone","undone"],["owed","owed"]];Zd={call:"unplanned call",undo:"undo",step:""}});function dn(e,t){return[e,...t].map(n=>n.map(eb).join(",")).join(`\r
`)+`\r
`}function eb(e){if(e==null)return"";if(typeof e=="number")return Number.isFinite(e)?String(e):"";if(e instanceof Ee)return e.source;let t=typeof e=="string"?e:se(e),n=Zg.test(t)?`'${t}`:t;return/[",\r\n]/.test(n)?`"${n.replaceAll('"','""')}"`:n}var Zg,Zr=E(()=>{dt();Le();Zg=/^[\s'"]*[=+\-@\t\r|%＝＋－＠]/});function ou(e,t={count:0}){let n=e.map(d=>d.date),o=d=>e.map(u=>u[d]===null?null:Number(u[d]??0)),r=d=>e.map(u=>(u[d]??null)===null?null:Number(u[d])),s=(d,u)=>e.map(p=>u(p)?Number(p[d]??0)/u(p):null),i=d=>o(d).reduce((u,p)=>u+(p??0),0),l=d=>Number(d.completed??0)+Number(d.failed??0)+Number(d.cancelled??0),c=e.reduce((d,u)=>d+l(u),0);return[{id:"executions",title:pn(n[0])?"Executions per hour":"Executions per day",about:"by when they started, and by how they ended or were interrupted",unit:"count",days:n,stacked:!0,headline:`${i("started")} started`,series:[{name:"completed",values:o("completed"),tone:"ok",form:"bars"},{name:"failed",values:o("failed"),tone:"failed",form:"bars",pattern:"hatch"},{name:"cancelled",values:o("cancelled"),tone:"idle",form:"bars",pattern:"dots"},{name:"closed",values:o("closed"),tone:"plain",form:"bars",pattern:"columns"},{name:"interrupted",values:o("interrupted"),tone:"doubt",form:"bars",pattern:"grid"},{name:"open",values:e.map(d=>Math.max(0,Number(d.started??0)-l(d)-Number(d.closed??0)-Number(d.interrupted??0))),tone:"running",form:"bars",pattern:"stripes"}]},{id:"success",title:"Success",about:"completed executions, as a share of those that ended with a verdict",unit:"share",days:n,headline:c?Zo(i("completed")/c):"–",series:[{name:"success",values:s("completed",l),tone:"ok",form:"line"}]},{id:"duration",title:"Duration",about:`from start to end, of ${t.count} that ended: half took less than p50, 95 of 100 less than p95`,unit:"seconds",days:n,headline:t.count?`p50 ${Bt(t.p50,"seconds")}, p95 ${Bt(t.p95,"seconds")}`:"–",series:[{name:"p50",values:r("p50"),tone:"running",form:"line"},{name:"p95",values:r("p95"),tone:"undo",form:"line",pattern:"dash"}]},{id:"estimate",title:"Estimate against actual",about:"summed over steps that had an estimate and succeeded",unit:"seconds",days:n,headline:i("estimated")?`${(i("actual")/i("estimated")).toFixed(1)} × the estimate`:"–",series:[{name:"estimated",values:r("estimated"),tone:"idle",form:"line",pattern:"dash"},{name:"actual",values:r("actual"),tone:"accent",form:"line"}]},{id:"retries",title:"Retries and unwinding",about:"repeated steps, and executions with undone actions",unit:"count",days:n,headline:`${Qo(i("retries"),"retry","retries")}, ${i("unwound")} unwound`,series:[{name:"retries",values:o("retries"),tone:"doubt",form:"line"},{name:"unwound",values:o("unwound"),tone:"undo",form:"line",pattern:"dash"}]},{id:"waiting",title:"Waiting for people",about:`from each question to its answer, summed; ${Qo(i("asked"),"question")}`,unit:"seconds",days:n,headline:i("waited")?Yn(i("waited")):"–",series:[{name:"waited",values:r("waited"),tone:"waiting",form:"bars"}]},{id:"doubt",title:"In doubt",about:"actions with an unknown outcome",unit:"count",days:n,headline:`${i("in_doubt")} ${i("in_doubt")===1?"action":"actions"}`,series:[{name:"in doubt",values:o("in_doubt"),tone:"doubt",form:"bars",pattern:"hatch"}]}]}function su(e){return{header:["day",...e.series.map(t=>t.name)],rows:e.days.map((t,n)=>[t,...e.series.map(o=>o.values[n])])}}function ru(e){let t=e.flatMap(n=>n.series.map(o=>({name:`${n.id}: ${o.name}${n.unit==="seconds"?" (s)":""}`,values:o.values})));return{header:["day",...t.map(n=>n.name)],rows:(e[0]?.days??[]).map((n,o)=>[n,...t.map(r=>r.values[o])])}}function Bt(e,t){return e==null?"–":t==="seconds"?Yn(Number(e)):t==="share"?Zo(e):String(e)}function Yn(e){return e===0?"0":e<1?`${Math.round(e*1e3)} ms`:e<120?`${Xo(e)} s`:e<7200?`${Xo(e/60)} min`:e<172800?`${Xo(e/3600)} h`:`${Xo(e/86400)} d`}function es(e,t){return pn(e)?new Intl.DateTimeFormat("en-GB",{day:"numeric",month:"short",hour:"2-digit",minute:"2-digit",timeZone:t}).format(Date.parse(e)):e}function iu(e={},t={}){return Object.entries(e).sort((n,o)=>o[1]-n[1]).slice(0,au).map(([n,o])=>({name:n,value:o,text:t[n]?.calls?`${o} of ${t[n].calls}`:String(o),tone:"failed"}))}function lu(e={}){return Object.entries(e).sort((t,n)=>n[1]-t[1]).map(([t,n])=>({name:tb[t]??t,value:n,text:String(n),tone:"failed"}))}function cu(e={}){return Object.entries(e).filter(([,t])=>t.compared).map(([t,n])=>{let[o,r]=[Number(n.estimated??0),Number(n.actual??0)];return{name:t,value:o?r/o:0,text:`${nb(r,o)} (${Yn(r)} for ${Yn(o)})`,tone:r>o?"doubt":"ok"}}).sort((t,n)=>n.value-t.value).slice(0,au)}function du(e={}){return{header:["agent","executions","success","failed","interrupted","actions","failed actions","in doubt","undone","p50","p95"],rows:Object.entries(e).map(([t,n])=>{let{started:o=0,completed:r=0,failed:s=0,cancelled:i=0,interrupted:l=0,actions:c=0,failures:d=0,undos:u=0,in_doubt:p=0,durations:f}=n,$=r+s+i;return[t,o,$?Zo(r/$):null,s,l,c,d,p,u,un(f.p50),un(f.p95)]})}}function uu(e={}){let t=Object.entries(e).sort((n,o)=>(o[1].durations.p95??-1)-(n[1].durations.p95??-1));return{header:["tool","calls","failed","in doubt","p50","p90","p95","longest"],rows:t.map(([n,{calls:o=0,failed:r=0,in_doubt:s=0,durations:{p50:i,p90:l,p95:c,longest:d}}])=>[n,o,r,s,un(i),un(l),un(c),un(d)])}}function pu(e={}){return Object.entries(e).map(([t,{observed:n=0,claimed:o=0,in_doubt:r=0}])=>{let s=n+o,i=r?`, ${r} in doubt`:"";return{name:t||"unknown",value:s?n/s:0,tone:"ok",text:s?`${Zo(n/s)} of ${s}${i}`:"no calls"}})}function fu({executions:e=0,actions:t=0,whole_from:n="",detail_from:o=""}){let r=`Of ${Qo(e,"execution")} and ${Qo(t,"action")}.`,s=n?` What started before ${n.slice(0,10)} was not looked at.`:"",i=o?` Retries, estimates, failures and coverage are of what was done since ${o.slice(0,10)}.`:"";return r+s+i}var Zo,Xo,pn,au,tb,nb,un,Qo,ts=E(()=>{Zo=e=>`${Math.round(e*1e3)/10} %`;Xo=e=>String(Math.round(e*10)/10),pn=e=>(e??"").includes("T");au=12;tb={timed_out:"timed out",rate_limited:"too many requests",no_connection:"no connection",not_permitted:"not permitted",not_found:"not found",conflict:"conflict, exists already",invalid:"invalid request",server_error:"server error",out_of_space:"out of disk or memory",cancelled:"cancelled, interrupted",exit_code:"exit code only",other:"something else",no_text:"no error text"};nb=(e,t)=>`${(e/t).toFixed(1)} ×`;un=e=>e===void 0?null:Yn(Number(e));Qo=(e,t,n=`${t}s`)=>`${e} ${e===1?t:n}`});function $u(e){let t=document.createElement("span");t.hidden=!0,e.append(t);let n=s=>(t.style.color=`var(${s})`,getComputedStyle(t).color),o={};for(let s of["ok","failed","doubt","waiting","running","undo","idle"])o[s]=n(`--${s}-fill`);o.accent=n("--accent");let r={line:n("--line"),faint:n("--ink-faint"),surface:n("--surface"),sans:getComputedStyle(e).fontFamily};return t.remove(),{...r,of:s=>o[s]??o.idle}}function mu(e,t){let n=t.of(e.tone);if(!e.pattern)return n;let o=8,r=Object.assign(document.createElement("canvas"),{width:o,height:o}),s=r.getContext("2d");if(!s)return n;if(s.fillStyle=n,s.fillRect(0,0,o,o),s.strokeStyle=s.fillStyle=t.surface,s.lineWidth=2,e.pattern==="hatch")for(let i of[-o,0,o])s.beginPath(),s.moveTo(i,o),s.lineTo(i+o,0),s.stroke();else e.pattern==="stripes"?(s.fillRect(0,0,o,2),s.fillRect(0,4,o,2)):e.pattern==="columns"?(s.fillRect(0,0,2,o),s.fillRect(4,0,2,o)):e.pattern==="grid"?(s.fillRect(0,0,o,1),s.fillRect(0,0,1,o)):(s.beginPath(),s.arc(o/2,o/2,1.5,0,7),s.fill());return i=>i.ctx.createPattern(r,"repeat")}var hu=E(()=>{});function yu({figure:e}){let t=A(null),[n,o]=h(null),r=Oo(_l),s=ye("theme"),i=tt(),[l,c]=h(!1);return _(()=>{let d=matchMedia("(prefers-color-scheme: dark)"),u=()=>c(p=>!p);return d.addEventListener("change",u),()=>d.removeEventListener("change",u)},[]),ke(()=>{let d=t.current;if(!d||!r)return;let u=new r(lb(r,e,d,i,o),rb(e),d),p=new ResizeObserver(()=>u.setSize({width:d.clientWidth,height:gu}));return p.observe(d),()=>{p.disconnect(),u.destroy()}},[r,e,s,l,i]),a`<div class="plot">
    <p class="plot-readout" aria-hidden="true">
      ${n===null?a`<span class="plot-legend">${e.series.map(d=>a`<span><i class=${`swatch swatch-${d.form} pattern-${d.pattern??"plain"} tone-${d.tone}`}></i>${d.name}</span>`)}</span>`:a`<strong>${es(e.days[n],i)}</strong> ${e.series.map(d=>a`<span>${d.name} ${Bt(d.values[n],e.unit)}</span>`)}`}
    </p>
    <div class="plot-canvas" ref=${t} role="img" aria-label=${`${e.title}, ${e.headline}; the table holds the values`}></div>
  </div>`}function xu(e){let t=e.days.map(()=>0);return e.series.map(n=>!e.stacked||n.form!=="bars"?n.values:(t=t.map((o,r)=>Number(o)+Number(n.values[r]??0)),t))}function _u(e){let t=e.series.map((o,r)=>({series:o,index:r})).filter(o=>o.series.form==="bars").reverse(),n=e.series.map((o,r)=>({series:o,index:r})).filter(o=>o.series.form==="line");return[...t,...n]}function rb(e){let t=xu(e);return[e.days.map(n=>Date.parse(n)/1e3),..._u(e).map(({index:n})=>t[n])]}function ab(e){let t=xu(e).flat().filter(i=>Number(i)>0).map(Number),[n,o]=[Math.min(...t),Math.max(0,...t)],r=e.series.every(i=>i.form==="line");if(e.unit==="seconds"&&r&&o>n*ob)return{distr:3,range:()=>[10**Math.floor(Math.log10(n)),10**Math.ceil(Math.log10(o))]};let s=e.unit==="count"?4:1;return{range:()=>[0,e.unit==="share"?1:Math.max(o,s)*1.08]}}function ib(e,t){let n=new Intl.DateTimeFormat("en-GB",{day:"numeric",month:"short",timeZone:t}),o=new Intl.DateTimeFormat("en-GB",{hour:"2-digit",minute:"2-digit",timeZone:t}),r=s=>e&&o.format(s)!=="00:00"?o.format(s):n.format(s);return{space:64,size:24,incrs:e?[1,2,3,6,12,24].map(s=>s*ea):[1,2,7,14,30,90].map(s=>s*bu),values:(s,i)=>i.map(l=>r(l*1e3))}}function lb(e,t,n,o,r){let s=$u(n),i=`11px ${s.sans}`,l={stroke:s.faint,font:i,grid:{stroke:s.line,width:1},ticks:{show:!1}},c=pn(t.days[0]),d=c?o:"Etc/UTC",u=(c?ea:bu)/2,p=ab(t);return{width:n.clientWidth,height:gu,legend:{show:!1},tzDate:f=>e.tzDate(new Date(f*1e3),d),cursor:{y:!1,drag:{setScale:!1,x:!1,y:!1},points:{size:6}},hooks:{setCursor:[f=>r(f.cursor.idx??null)]},scales:{x:{range:(f,$,g)=>[$-u,g+u]},y:p},axes:[{...l,grid:{show:!1},...ib(c,d)},{...l,size:56,space:36,...p.distr?{}:{incrs:sb[t.unit]},values:(f,$)=>$.map(g=>g===null?"":Bt(g,t.unit))}],series:[{},..._u(t).map(({series:f})=>({label:f.name,stroke:s.of(f.tone),width:f.form==="line"?1.75:0,spanGaps:!1,dash:f.pattern==="dash"?[5,4]:void 0,fill:f.form==="bars"?mu(f,s):void 0,paths:f.form==="bars"?e.paths.bars({size:[.72,28],radius:.12}):e.paths.linear(),points:{show:f.form==="line",size:4}}))]}}var gu,ea,bu,ob,sb,wu=E(()=>{v();mr();et();mt();ts();hu();gu=168,ea=3600,bu=24*ea,ob=50,sb={count:[1,2,5,10,20,50,100,200,500,1e3,2e3,5e3,1e4,5e4],seconds:[.1,.5,1,2,5,10,15,30,60,120,300,600,900,1800,3600,7200,10800,21600,43200,86400,172800,604800],share:[.25,.5]}});function vu({figure:e}){let[t,n]=h(!1),o=a`
    <${w} kind="ghost" icon="table" pressed=${t} label=${`${e.title} as a table`} onClick=${()=>n(!t)} />
    <${w} kind="ghost" icon="export" label=${`${e.title} as CSV`} onClick=${()=>cb(e)} />`;return a`<${R} class="figure" title=${e.title} actions=${o} data-testid=${`figure-${e.id}`}>
    <p class="figure-number num">${e.headline}</p>
    <p class="figure-about soft">${e.about}</p>
    ${t?a`<${db} figure=${e} />`:a`<${yu} figure=${e} />`}
  <//>`}function cb(e){let{header:t,rows:n}=su(e);Je(`tallystick-${e.id}.csv`,dn(t,n),"text/csv")}function db({figure:e}){let t=tt();return a`<div class="figure-table" role="region" aria-label=${`${e.title}, values`} tabindex="0">
    <table class="table">
      <thead><tr><th scope="col">${pn(e.days[0])?"hour":"day"}</th>${e.series.map(n=>a`<th scope="col" class="right">${n.name}</th>`)}</tr></thead>
      <tbody>${e.days.map((n,o)=>a`<tr key=${n}><th scope="row">${es(n,t)}</th>${e.series.map(r=>a`<td class="right num">${Bt(r.values[o],e.unit)}</td>`)}</tr>`).reverse()}</tbody>
    </table>
  </div>`}function Xn({title:e,about:t,rows:n,none:o,id:r}){let s=Math.max(1,...n.map(l=>l.value)),i=a`<${w} kind="ghost" icon="export" label=${`${e} as CSV`}
    onClick=${()=>Je(`tallystick-${r}.csv`,dn(["name","value","text"],n.map(l=>[l.name,l.value,l.text])),"text/csv")} />`;return a`<${R} class="figure" title=${e} actions=${i} data-testid=${`figure-${r}`}>
    <p class="figure-about soft">${t}</p>
    ${n.length?a`<table class="figure-bars"><tbody>${n.map(l=>a`<tr key=${l.name}>
          <th scope="row" title=${_e(l.name)}><${m} text=${l.name} /></th>
          <td><svg class=${`figure-bar tone-${l.tone}`} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width=${l.value/s*100} height="10" /></svg></td>
          <td class="right num">${l.text}</td></tr>`)}</tbody></table>`:a`<p class="soft figure-none">${o}</p>`}
  <//>`}function ta({title:e,about:t,id:n,data:{header:o,rows:r},none:s}){let i=a`<${w} kind="ghost" icon="export" label=${`${e} as CSV`} onClick=${()=>Je(`tallystick-${n}.csv`,dn(o,r),"text/csv")} />`;return a`<${R} class="figure figure-wide" title=${e} actions=${i} data-testid=${`figure-${n}`}>
    <p class="figure-about soft">${t}</p>
    ${r.length?a`<div class="figure-scroll" role="region" aria-label=${e} tabindex="0"><table class="table">
          <thead><tr>${o.map((l,c)=>a`<th scope="col" class=${c?"right":null}>${l}</th>`)}</tr></thead>
          <tbody>${r.map(([l,...c])=>a`<tr key=${l}><th scope="row"><${m} text=${String(l)} /></th>
            ${c.map(d=>a`<td class=${ee("right num",!d&&"faint")}>${d??"–"}</td>`)}</tr>`)}</tbody>
        </table></div>`:a`<p class="soft figure-none">${s}</p>`}
  <//>`}var ku=E(()=>{Zr();Fn();v();F();mt();ts();wu()});var Eu={};Ce(Eu,{Page:()=>fb});function fb({query:e}){let t=e.get("days")||"",n=t==="1"?"hour":"",o=Object.fromEntries(Su.map(([u])=>[u,e.get(u)||""])),{data:r,problem:s,reload:i}=D({by:[t,...Object.values(o)],kinds:pb},u=>T("/v1/series",{days:t,by:n,...o},{signal:u})),l=le(()=>ou(r?.days??[],r?.durations),[r]),c=r&&!r.days.some(u=>u.started),d=()=>{let{header:u,rows:p}=ru(l);Je(`tallystick-stats-${t?`${t}-days`:"all"}.csv`,dn(u,p),"text/csv")};return a`<div class="page stats">
    <div class="page-head">
      <h1>Stats</h1>
      <${ae} label="Days" value=${t} choices=${ub} onChange=${u=>X({days:u})} />
      ${Su.map(([u,p])=>a`<${$b} key=${u} name=${u} word=${p} value=${o[u]} />`)}
      <div class="page-head-end"><${w} icon="export" disabled=${!r} onClick=${d}>Export as CSV<//></div>
    </div>
    <${L} problem=${s} retry=${i} />
    ${r?c?a`<${R}><${z} icon="stats" title="Nothing was started."><p>Choose more days, or fewer filters.</p><//><//>`:a`<div class="figures">
            ${l.map(u=>a`<${vu} key=${u.id} figure=${u} />`)}
            <${Xn} id="failures" title="Failures by tool" about="actions that ended with failed, of all calls of the tool" rows=${iu(r.failures,r.tools)} none="No tool failed." />
            <${Xn} id="errors" title="Failures by kind of error" about="estimated from the texts of the newest failures" rows=${lu(r.errors)} none="Nothing failed." />
            <${Xn} id="estimates" title="Estimate against actual, by tool" about="steps that had an estimate and succeeded: how many times as long they took" rows=${cu(r.tools)} none="No step with an estimate succeeded." />
            <${Xn} id="coverage" title="Coverage by client" about="calls that a hook, a gateway or an adapter saw; the others were only claimed" rows=${pu(r.coverage)} none="No call was recorded." />
            <${ta} id="agents" title="Agents side by side" about="executions by the agent that started them; success is the share of those that ended with a verdict" data=${du(r.agents)} none="No agent started anything." />
            <${ta} id="tools" title="Durations by tool" about="of calls that ended: half took less than p50, 90 and 95 of 100 less than p90 and p95" data=${uu(r.tools)} none="No call was recorded." />
          </div>
          <p class="soft">${fu(r)}${r.by==="day"?" Days are in UTC.":""}</p>`:!s&&a`<${H} />`}
  </div>`}function $b({name:e,word:t,value:n}){return a`<label class="inline-field"><span>${t}</span>
    <input type="text" size="12" value=${n} placeholder="all" spellcheck="false" onChange=${o=>X({[e]:o.target.value.trim()})} /></label>`}var ub,Su,pb,Tu=E(()=>{G();ku();ts();Zr();Fn();v();te();U();F();ub=[["","All"],["1","Today"],["7","7 days"],["30","30 days"],["90","90 days"]],Su=[["task_id","Task"],["actor","Agent"],["client","Client"]],pb=["execution_","approval_decided"]});function na(e){let t=hb(e);if(!t)return t;let n=[...e.undos.values()],o=mb.find(([,s])=>n.some(i=>s.has(i)))?.[0]??t,r=o==="undone"&&e.cancellable==="partially-reversible"?"partly":o;return e.kept&&r!=="undone"?"kept":r}function hb(e){return e.kind==="undo"||e.undoes.length||e.effect==="read"||e.state==="skipped"||e.state==="failed"&&e.withoutEffect?"":e.cancellable==="irreversible"?"not_possible":e.whileUnwinding?"may_be_undo":"not_undone"}var mb,Mu=E(()=>{mb=[["undone",new Set(["ok"])],["undoing",new Set(["open"])],["in_doubt",new Set(["unknown","doubted"])],["failed",new Set(["failed"])]]});function Cu(){return{seq:0,at:"",status:"",planId:"",revision:0,steps:new Map,actions:new Map,approvals:new Map,decisions:[],context:new Map}}function yb(e,t){e.seq=t.seq,e.at=t.at,Ob[t.kind]?.(e,t,t.facts??{},t.body??{})}function Au(e){return[...e.actions.values()].map(t=>({action:t,word:na(t)})).filter(({word:t})=>t&&t!=="undone"&&t!=="kept").sort((t,n)=>+(t.word==="may_be_undo")-+(n.word==="may_be_undo")||n.action.seq-t.action.seq)}function oa(e,t){let n=e.steps.get(t),o=n?.status==="done"?e.actions.get(n.action):void 0;return o&&na(o)==="undone"&&[...o.undos].some(([i,l])=>l==="ok"&&e.actions.get(i)?.kind==="undo")?"undone":n?.status||"planned"}function Iu(e){let t=new Set(["open","doubted","unknown"]);return[...e.actions.values()].filter(n=>t.has(n.state))}function xb(e,t,n){e.status="running",e.planId=n.plan_id??"",e.revision=n.revision??0}function _b(e,t,n){e.status=n.status}function wb(e,t,n,o){let r={id:t.id,state:"open",seq:t.seq,at:t.at,endSeq:0,ended:"",kind:n.action_kind??"do",undoes:n.undoes?[n.undoes,...n.undoes_too??[]]:[],kept:!1,tool:n.tool??"",step:n.step??"",effect:n.effect??"unsafe",cancellable:n.cancellable??"",attempt:n.attempt??1,summary:typeof o.summary=="string"?o.summary:"",actor:t.actor,witness:t.witness,withoutEffect:!1,whileUnwinding:!!n.while_unwinding,undos:new Map};e.actions.set(r.id,r),sa(e,n),os(e,r,!0)}function vb(e,t,n){let o=e.actions.get(t.id);if(!o)return;let r=n.contradicts?"doubted":n.outcome,s=o.state==="failed"&&r==="failed";if(o.withoutEffect=!!n.without_effect||s&&o.withoutEffect,n.contradicts){o.kept=!1;for(let[d,u]of o.undos)["ok","failed","skipped"].includes(u)&&o.undos.delete(d)}let i=o.state==="ok"&&r!=="ok",l=o.state===r&&["ok","failed","skipped"].includes(r);o.state=r,o.endSeq=t.seq,l||(o.ended=t.at);let c=r==="skipped"&&(t.witness==="observed"||!!n.settles);os(e,o,!1,i,c)}function kb(e,t){let n=e.actions.get(t.id);n&&(n.state="doubted",os(e,n,!1))}function Sb(e,t,n){let o=n.call?e.actions.get(t.id):void 0;o&&(t.witness==="observed"&&(o.witness="observed"),n.effect&&(o.effect=n.effect,o.tool=n.tool??"",n.step&&Ou(e,o,{step:n.step})),sa(e,n))}function Eb(e,t,n,o){let r=typeof o.why=="string"?o.why:"";if(e.decisions.push({seq:t.seq,at:t.at,decision:n.decision,why:r,step:n.step??"",actor:n.credential||t.actor}),n.decision==="keep"){for(let l of n.kept??[])Tb(e,l);return}if(n.action_id){let l=e.actions.get(n.action_id);l&&Ou(e,l,n),sa(e,{approval_id:n.used});return}let s=n.step?Nu(e,n.step):void 0;s&&n.decision==="skip"&&(s.status="skipped"),s&&(s.decided=n.decision);let i=e.approvals.get(n.approval_id);i&&(i.blocks=!0),n.decision==="replan"&&n.revision&&(e.revision=n.revision),bb.has(e.status)||(e.status=n.status)}function Ou(e,t,n){t.step||t.undoes.length||t.kind==="undo"||(t.whileUnwinding=!1,t.step=n.step??"",t.cancellable||=n.cancellable??"",t.undoes=n.undoes?[n.undoes,...n.undoes_too??[]]:[],n.undoes&&!n.step&&(t.kind="undo"),t.attempt=n.step?(e.steps.get(n.step)?.attempts??0)+1:1,os(e,t,!0))}function Tb(e,t){let n=e.actions.get(t);n&&(n.kept=!0)}function Mb(e,t,n,o){let r=typeof o.question=="string"?o.question:"";e.approvals.set(t.id,{seq:t.seq,question:r,tool:n.tool??"",status:"pending",blocks:!1})}function Cb(e,t,n){let o=e.approvals.get(t.id);if(!o)return;o.status=n.verdict;let r=[...e.approvals.values()].some(s=>s.blocks&&s.status==="pending");e.status==="blocked"&&!r&&(e.status="running")}function Ab(e,t,n,o){e.context.set(n.key,{seq:t.seq,value:o.null?null:o.value})}function sa(e,t){let n=t.approval_id?e.approvals.get(t.approval_id):void 0;n&&["approve","edit"].includes(n.status)&&(n.status="used")}function Nu(e,t){let n=e.steps.get(t)??{status:"planned",attempts:0,action:"",decided:""};return e.steps.set(t,n),n}function os(e,t,n,o=!1,r=!1){for(let l of t.undoes){let c=e.actions.get(l);c&&(n||o)&&(c.kept=!1),c?.undos.set(t.id,t.state)}if(t.kind!=="do"||!t.step)return;let s=Nu(e,t.step),i=r?"planned":gb[t.state];!n&&Ib(s,t,i)||Object.assign(s,{status:i,action:t.id,attempts:s.attempts+(n?1:0),decided:""})}function Ib(e,t,n){return e.action&&e.action!==t.id?n!=="done":e.decided==="skip"&&(n==="in_doubt"||n==="planned")}var gb,bb,ns,Ob,ra=E(()=>{Mu();gb={open:"running",ok:"done",failed:"failed",skipped:"skipped",unknown:"in_doubt",doubted:"in_doubt"},bb=new Set(["completed","failed","cancelled","closed"]);ns=class{constructor(t){this.entries=t,this.folded=0,this.state=Cu()}at(t){for(t<this.folded&&(this.folded=0,this.state=Cu());this.folded<t;this.folded+=1)yb(this.state,this.entries[this.folded]);return this.state}countTo(t){let n=this.entries.findIndex(o=>o.seq>t);return n<0?this.entries.length:n}};Ob={execution_started:xb,execution_ended:_b,action_begun:wb,action_ended:vb,action_doubted:kb,action_noted:Sb,decision_recorded:Eb,approval_requested:Mb,approval_decided:Cb,context_recorded:Ab}});function Lu(e){let[t,n]=h({entries:[],complete:!1,problem:null}),[o,r]=h(0);return Re(s=>s?.kind==="body_erased"&&r(i=>i+1)),_(()=>{let s=new AbortController;return n({entries:[],complete:!1,problem:null}),Lb(e,s.signal,(i,l)=>n({entries:i,complete:l,problem:null})).catch(i=>!s.signal.aborted&&n(l=>({...l,problem:i}))),()=>s.abort()},[e,o]),t}async function Lb(e,t,n){let o=[],r=0;for(;;){let s=await T("/v1/entries",{execution_id:e,after:r,limit:Nb},{signal:t});if(o=[...o,...s.entries],r=s.last_seq,n(o,!s.more),!s.more)return}}function ss(e){let{facts:t={},body:n}=e,o=t.channel==="client"?"A client answered":Db[e.kind]??e.kind.replaceAll("_"," "),r=[t.outcome,t.decision?.replaceAll("_"," "),t.verdict,t.status&&e.kind==="execution_ended"?t.status:"",t.tool,t.step&&`step ${t.step}`,t.key],s=n?.summary||n?.why||n?.question||n?.error||n?.reason||"";return{word:o,what:r.filter(Boolean).join(" · "),text:typeof s=="string"?s:se(s)}}function rs(e){return e.kind==="action_ended"&&e.facts?.outcome==="failed"?"failed":e.kind==="action_doubted"||e.facts?.outcome==="unknown"?"in_doubt":e.kind==="decision_recorded"?"decision":e.kind.startsWith("approval_")?"approval":""}var Nb,Rb,Ru,Db,as=E(()=>{G();v();Le();te();Nb=1e3;Rb=new Set(["action_begun","action_ended","decision_recorded","approval_requested","context_recorded"]),Ru=e=>e.findIndex(t=>Rb.has(t.kind))+1,Db={execution_started:"The execution started",execution_ended:"The execution ended",action_begun:"An action began",action_ended:"An action ended",action_doubted:"An action is in doubt",action_noted:"A note on an action",decision_recorded:"A decision",approval_requested:"A person is asked",approval_decided:"A person answered",context_recorded:"A context value is recorded"}});function Du({entry:e,execution:t}){let{word:n,what:o,text:r}=ss(e);return a`<${R} class="now-entry" title=${n} actions=${a`<a href=${x(`/x/${t}`,{tab:"journal",entry:e.seq})}>entry ${e.seq}</a>`}>
    <p class="now-what"><strong><${m} text=${o} /></strong></p>
    ${r&&a`<p class="now-text"><${De} text=${r} /></p>`}
    <p class="soft now-about"><span><${m} text=${e.facts?.credential||e.actor} /></span><${Xe} witness=${e.witness} /><${N} at=${e.at} form="absolute" /></p>
    ${e.body&&a`<details><summary>Details</summary><${ie} value=${e.body} label="body" /></details>`}
  <//>`}function Pu({state:e,steps:t,entry:n}){if(!t.length)return null;let o=(...s)=>t.filter(i=>s.includes(oa(e,i.id))).length,r={done_steps:o("done","undone"),undone_steps:o("undone"),skipped_steps:o("skipped"),total_steps:t.length};return a`<${R} flush title=${`Plan, revision ${e.revision}`} actions=${a`<span class="soft num">${rt(r)}</span>`}>
    <ul class="then">
      ${t.map(s=>{let i=e.steps.get(s.id);return a`<li key=${s.id} class=${n.facts?.step===s.id?"is-now":null}>
          <${K} state=${oa(e,s.id)} quiet />
          <span class="then-text"><${m} text=${s.title||s.id} /></span>
          ${i&&i.attempts>1?a`<span class="soft">attempt ${i.attempts}</span>`:null}
        </li>`})}
    </ul>
  <//>`}function ju({state:e,now:t}){let n=Iu(e);return a`<${R} flush title="Open or in doubt" actions=${a`<span class="soft num">${n.length}</span>`}>
    ${n.length?a`<ul class="then">${n.slice(-50).map(o=>a`<li key=${o.id} class=${o.id===t?"is-now":null}>
          <${K} state=${o.state} quiet /><span class="then-text"><${m} text=${o.summary||o.tool||o.id} /></span>
          <code class="soft">${o.id}</code></li>`)}</ul>`:a`<p class="then-none">No open actions.</p>`}
  <//>`}function qu({state:e,now:t}){let n=Au(e);return a`<${R} flush title="Undo list" actions=${a`<span class="soft num">${n.length}</span>`}>
    ${n.length?a`<ul class="then">${n.slice(0,50).map(({action:o,word:r})=>a`<li key=${o.id} class=${o.id===t?"is-now":null}>
          <${K} state=${r} quiet /><span class="then-text"><${m} text=${o.summary||o.tool||o.id} /></span>
          ${o.state!=="ok"&&a`<span class="soft">may have happened</span>`}</li>`)}</ul>`:a`<p class="then-none">Nothing to undo.</p>`}
  <//>`}function Bu({state:e}){let t=[...e.approvals.entries()];return a`<${R} flush title="Decisions and approvals" actions=${a`<span class="soft num">${e.decisions.length+t.length}</span>`}>
    ${e.decisions.length||t.length?a`<ul class="then">
          ${t.map(([n,o])=>a`<li key=${n} class=${o.seq===e.seq?"is-now":null}><${K} state=${o.status} quiet /><a class="then-text" href=${x(`/approvals/${n}`)}><${m} text=${o.question||n} /></a></li>`)}
          ${e.decisions.toReversed().slice(0,50).map(n=>a`<li key=${n.seq} class=${n.seq===e.seq?"is-now":null}>
            <strong>${n.decision.replaceAll("_"," ")}</strong><span class="then-text soft"><${m} text=${n.why} /></span></li>`)}
        </ul>`:a`<p class="then-none">Nothing yet.</p>`}
  <//>`}var Fu=E(()=>{v();U();F();je();ra();as()});function zu({entries:e,complete:t,at:n,onMove:o,playing:r,onPlay:s,speed:i,onSpeed:l}){let c=e.length,d=$=>(s(!1),o(Math.max(1,Math.min(c,$)))),u=$=>{let g=$>0?e.findIndex((b,C)=>C>=n&&rs(b)):e.slice(0,n-1).findLastIndex(b=>rs(b));g>=0&&d(g+1)};Fb(r,Number(i),()=>n<c?o(n+1):s(!1)),fe("Replay",{Space:{label:"play or stop",run:()=>s(!r)},ArrowRight:{label:"next entry",run:()=>d(n+1)},ArrowLeft:{label:"previous entry",run:()=>d(n-1)},l:{label:"next mark: a failure, a doubt, a decision, an approval",run:()=>u(1)},h:{label:"previous mark",run:()=>u(-1)},Home:{label:"to the first entry",run:()=>d(1)},End:{label:"to the last entry",run:()=>d(c)}});let p=e[n-1],f=p?ss(p):{word:"",what:""};return a`<div class="track">
    <div class="track-buttons">
      <${w} kind="ghost" icon="first" label="To the first entry" onClick=${()=>d(1)} />
      <${w} kind="ghost" icon="left" label="Previous entry" onClick=${()=>d(n-1)} />
      <${w} kind="primary" icon=${r?"paused":"running"} onClick=${()=>s(!r)} class="track-play">${r?"Stop":n>=c?"Play again":"Play"}<//>
      <${w} kind="ghost" icon="right" label="Next entry" onClick=${()=>d(n+1)} />
      <${ae} label="Entries per second" value=${i} choices=${Pb} onChange=${l} />
      <span class="track-place num">entry ${n} of ${c}${t?"":" read so far"}</span>
    </div>
    <div class="track-line">
      <${qb} entries=${e} />
      <input type="range" min="1" max=${Math.max(1,c)} step="1" value=${n} aria-label="Entry" data-testid="scrubber"
        aria-valuetext=${`entry ${n} of ${c}: ${f.word} ${f.what}`} onInput=${$=>d(Number($.target.value))} />
    </div>
    <p class="track-legend soft">
      <span><i class="mark mark-failed"></i> failed</span><span><i class="mark mark-in_doubt"></i> in doubt</span>
      <span><i class="mark mark-decision"></i> decision</span><span><i class="mark mark-approval"></i> approval</span>
      <span class="track-keys"><${Be} keys="h" /> <${Be} keys="l" /> between marks, <${Be} keys="Space" /> to play</span>
    </p>
  </div>`}function qb({entries:e}){let t=e.map((r,s)=>({kind:rs(r),index:s})).filter(r=>r.kind),n=Math.ceil(t.length/jb),o=r=>e.length>1?r/(e.length-1)*1e3:0;return a`<svg class="track-marks" viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true">
    ${t.filter((r,s)=>s%n===0).map(r=>a`<path key=${r.index} class=${`mark-${r.kind}`} d=${`M${o(r.index)} ${Bb[r.kind]}V12`} vector-effect="non-scaling-stroke" />`)}
  </svg>`}function Fb(e,t,n){let o=A(n);o.current=n,_(()=>{if(!e)return;let r=setInterval(()=>o.current(),1e3/t);return()=>clearInterval(r)},[e,t])}var Pb,jb,Bb,Hu=E(()=>{v();Ae();F();as();Pb=[["1","1/s"],["4","4/s"],["20","20/s"]],jb=400;Bb={failed:0,in_doubt:2,approval:5,decision:7}});var Uu={};Ce(Uu,{Page:()=>Hb});function Hb({id:e,query:t}){let{entries:n,complete:o,problem:r}=Lu(e),s=D({by:[e],kinds:["execution_ended"]},j=>T(`/v1/executions/${encodeURIComponent(e)}/status`,{limit:1},{signal:j})),i=s.data?.execution,l=D({by:[i?.plan_id??""],kinds:["plan_recorded"]},j=>i?.plan_id?T(`/v1/plans/${i.plan_id}`,{},{signal:j}):Promise.resolve(null)),c=ye("zone"),[d,u]=h(0),[p,f]=h(!1),[$,g]=h("4"),b=le(()=>new ns(n),[n]),C=Number(t.get("at"))||0;_(()=>{d||!n.length||!o&&n[n.length-1].seq<C||u(Math.max(1,C?b.countTo(C):Ru(n)))},[n,o]),_(()=>{if(!d||p)return;let j=setTimeout(()=>X({at:n[d-1]?.seq},{replace:!0}),zb);return()=>clearTimeout(j)},[d,p]);let M=j=>{j&&d>=n.length&&u(1),f(j)},y=Math.min(d,n.length),S=n[y-1],I=S?b.at(y):null,V=l.data?.revisions.find(j=>j.revision===I?.revision)?.steps??[];return a`<div class="page replay">
    <header class="replay-head">
      <p><a class="back" href=${x(`/x/${e}`)}>Current state of the execution</a></p>
      <div class="page-head">
        <h1>Replay of <${m} text=${i?.title||e} /></h1>
        ${I?.status&&a`<${K} state=${I.status} />`}
        ${S&&a`<time class="soft num" dateTime=${S.at}>${Qt(S.at,c)}</time>`}
      </div>
    </header>
    <${L} problem=${r||s.problem} />
    ${!S||!I?!r&&a`<${H} what=${n.length?`Reading, ${n.length} entries so far`:"Reading"} />`:a`
        <${zu} entries=${n} complete=${o} at=${y} onMove=${u} playing=${p} onPlay=${M} speed=${$} onSpeed=${g} />
        ${!o&&a`<p class="soft" role="status">Reading on: ${n.length} entries so far.</p>`}
        <div class="replay-body">
          <div><${Du} entry=${S} execution=${e} /><${Bu} state=${I} /></div>
          <div><${Pu} state=${I} steps=${V} entry=${S} /><${ju} state=${I} now=${S.id} /></div>
          <div><${qu} state=${I} now=${S.id} /></div>
        </div>
        <p class="soft">A doubt appears with the entry that records it. Owed actions are listed newest first; the page of the execution has the order to undo them.</p>`}
  </div>`}var zb,Wu=E(()=>{G();v();te();ra();Fu();as();Hu();U();et();F();zb=300});async function Ku(e,t){let n=[],o=0;for(let r=!0;r;){let s=await T("/v1/export",{after:o,limit:Ub});n.push(...s.lines.map(i=>`${i.trimEnd()}
`)),{last_seq:o,more:r}=s,t(o)}Je(`${e}.jsonl`,n,"application/x-ndjson")}var Ub,Vu=E(()=>{G();Fn();Ub=2e3});var Ju={};Ce(Ju,{Page:()=>Wb});function Wb(){let[e,t]=h({name:"",busy:!1,read:null,problem:null}),[n,o]=h(!1),r=A(null),s=async l=>{if(!l)return;t({name:l.name,busy:!0,read:null,problem:null});let c=await Vb(l).then(d=>({read:d,problem:null}),d=>({read:null,problem:d}));t({name:l.name,busy:!1,...c})};return a`<div class="page import">
    <div class="page-head"><h1>Open an export</h1></div>
    <p class="soft import-lead">Choose a JSONL file of a journal, written by <code>tallystick export</code> or by the button below, or of one
      execution, written by its page. The server verifies it as far as possible and keeps it in memory for a while. Only you see it. The journals of this server are not changed.</p>
    <div class=${`drop ${n?"is-over":""}`} onDragOver=${l=>(l.preventDefault(),o(!0))} onDragLeave=${()=>o(!1)} onDrop=${l=>{l.preventDefault(),o(!1),s(l.dataTransfer?.files[0])}}>
      <${k} name="import" size=${24} />
      <p>Drop a file here, or</p>
      <${w} kind="primary" disabled=${e.busy} onClick=${()=>r.current?.click()}>Choose a file<//>
      <input ref=${r} type="file" accept=".jsonl,.ndjson,application/x-ndjson" class="visually-hidden" tabindex="-1" aria-label="JSONL file"
        onChange=${l=>(s(l.target.files[0]),l.target.value="")} />
    </div>
    <p role="status" class="soft">${e.busy?`Reading ${e.name}…`:""}</p>
    <${L} problem=${e.problem} />
    ${e.read&&a`<${Gb} name=${e.name} read=${e.read} />`}
    <${Kb} />
  </div>`}function Kb(){let e=Ie(),[t,n]=h(""),[o,r]=h(null),s=Z()||e.journal||"journal";return a`<section class="take-along" aria-labelledby="take-along">
    <h2 id="take-along">Export this journal</h2>
    <p class="soft import-lead">Every entry of <code>${s}</code>, exactly as stored. Anyone can verify the file
      with <code>tallystick verify --file ${s}.jsonl</code>, or with Python alone.</p>
    <${w} icon="export" onClick=${async()=>{r(null),await Ku(s,l=>n(`Read ${l} entries…`)).then(()=>n("The download has started."),l=>(n(""),r(l)))}}>Export the whole journal<//>
    <p role="status" class="soft">${t}</p>
    <${L} problem=${o} />
  </section>`}async function Vb(e){if(e.size>Gu)throw Object.assign(new Error(`${e.name} is larger than ${Gu/1024/1024} MB.`),{hint:"Export less, for example one execution."});return Te("/v1/imports",await e.text())}function Gb({name:e,read:t}){return a`<${R} title=${e}>
    <div class="import-result">
      ${t.verified?a`<p class="import-good"><${k} name="completed" /> The chain verifies from the first entry of this file to the last. Only a head stored elsewhere can show whether later entries are missing, or whether all of it was rewritten.</p>`:a`<p class="warning-note"><${k} name="warning" /> It does not verify: ${(t.problem||"the chain is broken").replace(/\.$/,"")}. Readable entries are shown anyway; do not rely on them.</p>`}
      <${Ne} rows=${[["entries",a`<span class="num">${t.entries}</span>`],["shown as",a`<code>${t.journal}</code>`]]} />
      <${ze} kind="primary" icon="executions" href=${`/executions?journal=${encodeURIComponent(t.journal)}`}>Open it<//>
    </div>
  <//>`}var Gu,Yu=E(()=>{G();Vu();v();oe();U();Fe();F();Gu=32*1024*1024});var Xu={};Ce(Xu,{Page:()=>Jb});function Jb(){return a`<h1 class="visually-hidden">Not found</h1>
    <${z} title="There is no page at this address.">
      <a href=${x("/executions")}>All executions</a>
    </${z}>`}var Qu=E(()=>{v();U();F()});v();Ht();var Ua=()=>!document.activeElement||document.activeElement===document.body||document.activeElement.id==="main";function Wa(){let e=null;document.addEventListener("focusin",t=>e=t.target instanceof Element?t.target:null),new MutationObserver(()=>{!e||e.isConnected||document.activeElement!==document.body||(e=null,document.getElementById("main")?.focus({preventScroll:!0}))}).observe(document.body,{childList:!0,subtree:!0})}Ae();te();var wr={};Ce(wr,{Page:()=>tm});G();G();v();te();U();F();function Wi({execution:e,task:t}){let{data:n,problem:o,reload:r}=D({by:[e,t],kinds:["context_recorded","body_erased"]},async s=>{let i=[{scope:"execution",execution_id:e},...t?[{scope:"task",task_id:t}]:[]];return(await Promise.all(i.map(c=>T("/v1/context",{...c,limit:100},{signal:s})))).flatMap(c=>c.values)});return o?a`<${L} problem=${o} retry=${r} />`:n?n.length?a`<div class="context-tab">${n.map(s=>a`<${_f} key=${s.scope+s.key} value=${s} execution=${e} />`)}</div>`:a`<${z} icon="context" title="No context values for this execution."><a href=${x("/context")}>Context of the whole project</a></${z}>`:a`<${H} />`}function _f({value:e,execution:t}){let[n,o]=h(!1);return a`<${R} title=${a`<code><${m} text=${e.key} /></code>`} actions=${a`<span class="faint">${e.type} · for this ${e.scope} · <${m} text=${e.actor} /> · <${N} at=${e.at} /></span>`}>
    ${e.erased||e.altered?a`<p class="soft">${e.erased?"Its text was erased.":"Its stored text was altered and is not shown."}</p>`:a`<${ie} value=${e.value} label=${e.key} />`}
    ${e.versions>1&&a`<${w} kind="ghost" aria-expanded=${String(n)} onClick=${()=>o(!n)}>${n?"Hide":"Show"} its history (${e.versions})</${w}>`}
    ${n&&a`<${wf} value=${e} execution=${t} />`}
  </${R}>`}function wf({value:e,execution:t}){let n=e.scope==="execution"?{execution_id:t}:{task_id:e.scope_id},{data:o,problem:r}=D({by:[e.key,e.seq]},s=>T(`/v1/context/${encodeURIComponent(e.key)}`,{scope:e.scope,...n,limit:50},{signal:s}));return r?a`<${L} problem=${r} />`:o?a`<ol class="history">${o.values.slice(1).map(s=>a`<li key=${s.seq}><p class="faint"><${N} at=${s.at} /> by <${m} text=${s.actor} /></p><${ie} value=${s.value} label=${`${e.key}, earlier`} /></li>`)}</ol>`:a`<${H} />`}v();F();function Ki({coverage:e}){return e?a`<div class="coverage-tab">
    <${R} title="Recorded actions">
      <div class="seen-figures">
        <${So} value=${e.begun} word="begun" />
        <${So} value=${e.ended} word="finished" />
        <${So} value=${e.open||0} word="without an end" />
        <${So} value=${e.unplanned||0} word="unplanned" />
      </div>
      <p class="soft">Observed: a hook, a gateway or a runner saw the call. Claimed: the agent reported it. Last entry ${e.silent_for} ago.</p>
      ${e.unobserved_client&&a`<p class="warn">No events from the hooks of ${e.unobserved_client} in this conversation: its calls are not recorded. <code>tallystick setup --check</code> says why.</p>`}
      ${e.spool_behind?a`<p class="warn">${e.spool_behind} bytes of hook events are not in the journal yet.</p>`:null}
    </${R}>
    <${R} title="Observers">
      ${e.observers?.length?e.observers.map(t=>a`<div class="observer" key=${t.session}>
              <${Ne}
                rows=${[["client",a`${t.client} ${t.silent?a`<${ne} tone="failed" icon="warning">silent</${ne}>`:t.alive===!1?a`<${ne} tone="idle">ended</${ne}>`:a`<${ne} tone="ok" icon="observed">active</${ne}>`}`],["session",a`<code>${t.session}</code>`],["conversation",t.conversation],["last event",a`<${N} at=${t.last_event} />`]]}
              />
            </div>`):a`<p>No hook, gateway or adapter sees the agent of this execution: what is claimed here is only what the agent reported. To record calls by hooks, run <code>tallystick setup</code>.</p>`}
    </${R}>
  </div>`:a`<${z} title="No coverage is known." />`}function So({value:e,word:t}){return a`<p class="seen-figure"><strong>${e??0}</strong><span>${t}</span></p>`}Zt();v();Le();On();He();Gt();Ut();Ln();nn();Zt();Ht();v();oe();Le();U();Fe();He();Gt();Ut();v();var Mo=new Set,dr=new Set;function Yi(e,t){_(()=>{if(t)return Mo.add(e),()=>{Mo.delete(e);for(let n of dr)n(0)}},[e,t])}function Rn(e){let[,t]=Ft(r=>r+1,0),n=A([]);_(()=>(dr.add(t),()=>{dr.delete(t)}),[]);let o=[...e];return n.current.forEach((r,s)=>{(Mo.has(r.action_id)||Mo.has(r.undone_by||""))&&!e.some(l=>l.action_id===r.action_id)&&o.splice(s,0,{...r,gone:!0})}),n.current=o}function Dn({about:e,acts:t,label:n,over:o="It changed meanwhile.",first:r,more:s,onDone:i}){let[l,c]=h(""),[d,u]=h(""),p=A(void 0);Yi(e,!!l);let f=A(null),$=A("");_(()=>{let y=f.current;return()=>Nf(y,!!$.current)},[]),_(()=>{if(l||!$.current)return;f.current?.querySelector(d?".act-receipt":`[data-act="${$.current}"]`)?.focus()},[l]);let g=t.find(y=>y.id===l),b=p.current=l?g??p.current:void 0;if(Se()||!t.length&&!r&&!s&&!b&&!d)return null;let C=y=>($.current=y||l,u(""),c(y)),M=y=>{let S=Lf(y,e.startsWith("ex_"));$e(S,"ok"),u(S),$.current=l,c(""),i?.(y)};return a`<div class="acts" ref=${f}>
    ${!b&&a`<div class="acts-row" role="group" aria-label=${n}>
      ${r}
      ${t.map(y=>a`<${w} key=${y.id} icon=${y.icon} kind=${y.danger?"danger":"plain"} data-act=${y.id} onClick=${()=>C(y.id)}>${y.label}<//>`)}
      ${s}
    </div>`}
    ${b&&a`<${Rf} key=${b.id} act=${b} about=${e} over=${g?"":o} onDone=${M} onCancel=${()=>C("")} />`}
    ${d&&!b&&a`<p class="act-receipt" tabindex="-1" role="status"><${k} name="check" size=${14} /> ${d}</p>`}
  </div>`}function Nf(e,t){!t&&!e?.contains(document.activeElement)||setTimeout(()=>document.activeElement===document.body&&document.getElementById("main")?.focus({preventScroll:!0}))}function Lf({seq:e,repeated:t,status:n,state:o,notes:r=[]},s){let i=o?` The action is ${o==="in_doubt"?"still in doubt":o}.`:n&&s?` The execution is ${n}.`:"";return`${t?"Was recorded before":"Recorded"} as entry ${e}.${i}${r.length?` ${r.join(" ")}`:""}`}function Rf({act:e,about:t,over:n,onDone:o,onCancel:r}){let s=Ie(),i=Object.fromEntries([...e.fields.map(({name:P,choices:q})=>[P,q?.[0][0]||""]),["key",""],["sent",""]]),[l,c,d]=io(ro("act",t,e.id),i),[u,p]=h(!1),[f,$]=h(!1),[g,b]=h(null),C=A(null),M=Me(),y=e.fields.find(({name:P,missing:q})=>q&&!l[P]?.trim()),S=e.needs==="approve"?s.may_decide:s.scopes.some(P=>P==="agent"||P==="run"),I=A(!1);_(()=>{I.current&&!Ua()||(I.current=!0,C.current?.querySelector("textarea, .choice button, [type=submit]")?.focus(),C.current?.scrollIntoView({block:"nearest"}))},[S]);let V=async P=>{if(P.preventDefault(),p(!0),y||f||!S||n)return;$(!0);let q=e.request(l),W=se(q),J=l.sent===W&&l.key?l.key:tn();c({sent:W,key:J});try{let re=await e.send(q,J);d(),o(re)}catch(re){let{status:B}=re;(B===401||B===403)&&ut(),b(re),$(!1)}},j=()=>{n&&d(),r()};return a`<div class="act" ref=${C} onKeyDown=${P=>{P.key==="Escape"&&(P.stopPropagation(),j()),P.key==="Enter"&&(P.metaKey||P.ctrlKey)&&V(P)}}>
    <form onSubmit=${V} aria-labelledby=${`${M}-title`}>
      <p class="act-title" id=${`${M}-title`}>${e.title}</p>
      ${e.note&&a`<p class="soft">${e.note}</p>`}
      ${e.fields.map(P=>a`<${Df} key=${P.name} field=${P} value=${l[P.name]} onInput=${q=>c({[P.name]:q})} />`)}
      <p class="field-problem" role="alert">${u&&y?y.missing:""}</p>
      ${g&&a`<div class="act-refusal" role="alert"><${k} name="warning" size=${14} /><span>${g.message}${g.hint&&a` <strong>${g.hint}</strong>`}</span></div>`}
      ${n&&!f&&a`<div class="act-refusal" role="alert"><${k} name="warning" size=${14} /><span>${n} <strong>Nothing can be sent any more.</strong></span></div>`}
      <div class="act-send">
        ${S&&a`<${w} kind=${e.danger?"danger":"primary"} type="submit" icon=${e.icon} disabled=${f||!!n}>${e.submit}<//>`}
        <${w} kind="ghost" onClick=${j}>${n?"Close":"Not yet"}<//>
      </div>
    </form>
    ${!S&&!n&&s.version&&a`<${Pf} act=${e} />`}
    ${!n&&a`<${jf} act=${e} open=${!S} />`}
  </div>`}function Df({field:e,value:t,onInput:n}){let{label:o,hint:r,choices:s}=e;return s?a`<div class="field"><span>${o}</span><${ae} label=${o} value=${t} choices=${s} onChange=${n} /></div>`:a`<label class="field"><span>${o} ${r&&a`<span class="faint">${r}</span>`}</span>
    <textarea rows="2" value=${t} maxlength="2000" onInput=${i=>n(i.target.value)}></textarea></label>`}function Pf({act:e}){return e.needs==="approve"?a`<p class="note">Only a person who may decide can do this. What you typed is kept.</p><${Ge} />`:a`<p class="note">This is decided by whoever may record: an agent or a runner, with the scope <code>agent</code> or <code>run</code>. Your login may not. Ask the agent, or use the command where the journal is.</p>`}function jf({act:e,open:t}){let n=gt().commandLine(e.command);return a`<details class=${ee("act-command",t&&"is-needed")} open=${t}>
    <summary>At the command line</summary>
    <span class="command"><code>${n}</code><${ge} text=${n} what="the command" /></span>
  </details>`}G();Zt();var pr=(e,t)=>Te("/v1/decisions",e,{key:t}),qf=(e,t)=>Te("/v1/actions",e,{key:t}),ur=(e,t)=>({name:"evidence",label:e,hint:"recorded in the journal as yours",missing:t}),Co=e=>({name:"why",label:"Reason",hint:"recorded in the journal, and shown to the agent",missing:e}),Xi="Say how you know: look at the real system first.";function Qi(e){let t={decision:"settle",action_id:e},n=r=>`record decision settle --action-id ${Ve(e)} --outcome ${r} --evidence 'how you know'`,o={needs:"approve",send:pr};return[{...o,id:"happened",label:"It happened",icon:"check",title:"It happened",submit:"Record that it happened",command:n("ok"),fields:[{name:"outcome",label:"What came of it",choices:[["ok","It succeeded"],["failed","It failed"],["without_effect","It failed and changed nothing"]]},ur("How you know",Xi)],request:({outcome:r,evidence:s})=>({...t,evidence:s,...r==="without_effect"?{outcome:"failed",without_effect:!0}:{outcome:r}})},{...o,id:"not",label:"It did not",icon:"close",title:"It did not happen",submit:"Record that it did not happen",command:n("skipped"),note:"The agent may then do it again.",fields:[ur("How you know",Xi)],request:({evidence:r})=>({...t,outcome:"skipped",evidence:r})},{...o,id:"unknown",label:"I cannot tell yet",icon:"in_doubt",title:"You cannot tell yet",submit:"Record what you looked at",command:n("unknown"),note:"It stays in doubt, and nobody repeats it. The next person reads what you looked at.",fields:[ur("What you looked at","Say what you looked at.")],request:({evidence:r})=>({...t,outcome:"unknown",evidence:r})}]}function Zi(e){return[{id:"undid",label:"I undid it",icon:"unwinding",title:"You undid it",submit:"Record that it is undone",needs:"approve",send:qf,note:"Tallystick undoes nothing: say so only when it is done.",fields:[{name:"summary",label:"What you did, and how you checked it",missing:"Say what you did."}],request:({summary:t})=>({phase:"done",kind:"undo",undoes:e,outcome:"ok",summary:t}),command:`record action done --kind undo --undoes ${Ve(e)} --outcome ok --summary 'what you did'`},{id:"keep",label:"Keep it",icon:"save",title:"Keep it as it is",submit:"Take it off the list",needs:"approve",send:pr,note:"It is then not owed any more. Nothing is undone.",fields:[Co("Say why it is kept.")],request:({why:t})=>({decision:"keep",action_id:e,why:t}),command:`record decision keep --action-id ${Ve(e)} --why 'the reason'`}]}var Bf=[["stop","Stopped"],["fail","Failed"],["done","Done"]],Pn=(e,t,n)=>({id:t,needs:"approve",send:pr,fields:[Co(`Say why you decide to ${t}.`)],request:o=>({decision:t,execution_id:e,why:o.why}),command:`record decision ${t} --execution-id ${Ve(e)} --why 'the reason'`,...n}),Ff=e=>Pn(e,"stop",{id:"end",label:"End it",icon:"cancelled",danger:!0,title:"End this execution",submit:"End it for good",note:"It stays ended. Stopped and failed: what was done and is not undone is owed. Done: what is left undone is recorded with your reason.",fields:[{name:"decision",label:"How it ended",choices:Bf},Co("Say why you end it.")],request:({decision:t,why:n})=>({decision:t,execution_id:e,why:n,...t==="done"?{incomplete:!0}:{}})}),zf={running:["pause","unwind"],blocked:["pause","unwind"],paused:["resume","unwind"],unwinding:["pause"]};function el({id:e,status:t}){let n={pause:Pn(e,"pause",{label:"Pause",icon:"paused",title:"Pause this execution",submit:"Pause it",note:"No new action may begin. What is under way may end."}),resume:Pn(e,"resume",{label:"Resume",icon:"running",title:"Resume this execution",submit:"Resume it"}),unwind:Pn(e,"unwind",{label:"Unwind",icon:"unwinding",danger:!0,needs:"agent",title:"Unwind this execution",submit:"Unwind it",note:"What was done becomes owed, the newest first. No planned step begins any more."})},o=zf[t];return o?[...o.map(r=>n[r]),Ff(e)]:[]}var Hf=["running","blocked","unwinding"],jn=e=>Hf.includes(e),tl=(e,t)=>Pn(e,"retry",{label:"Retry",icon:"replay",needs:"agent",title:"Permit another attempt",submit:"Permit one retry",note:"It permits one repeated call of this step.",fields:[Co("Say why another attempt will do better.")],request:({why:n})=>({decision:"retry",execution_id:e,step:t,why:n}),command:`record decision retry --execution-id ${Ve(e)} --step ${Ve(t)} --why 'the reason'`});function qn({action:e,doubtful:t=!0,onDone:n}){return a`<${Dn} about=${e} label="What came of it" acts=${t?Qi(e):[]} over="It is not in doubt any more." onDone=${n} />`}var nl="runner",Uf=["not_undone","undoing","partly","failed","may_be_undo","in_doubt"];function ol({item:e,offered:t,onDone:n}){let{action_id:o,state:r,undo:s,undone_by:i}=e,l=t&&Uf.includes(r)&&!e.gone,c=s?.tool?`${s.tool} ${se(s.arguments||{})}`:s?.words||"",d=l&&c&&a`<${Kf} text=${c} word="Copy the undo" done="The undo is copied." />`,u=l&&r==="in_doubt"&&!!i;return a`${u&&a`<p class="soft">Its undo is in doubt:</p>`}
    ${i&&a`<${qn} action=${i} doubtful=${u} onDone=${n} />`}
    <${Dn} about=${o} label="What is owed" acts=${l?Zi(o):[]} over="It is undone or kept by now." more=${d} onDone=${n} />`}function Wf({execution:{id:e,interrupted_by:t}}){let{shown:n}=ht(),{commandLine:o}=gt(),r=o(`get brief --execution-id ${e}`),s=o(`run --resume ${e}`),i=`Continue the execution ${e} of the Tallystick journal ${JSON.stringify(n)}. First read its brief: query_ledger with view=brief and execution_id=${e}, or the command ${r}. Look at the real system and settle what is in doubt; repeat nothing that is in doubt. Then go on with the next step, or ask me.`;return a`<div class="take-up">
    ${t===nl&&a`<p class="act-title">Let a runner go on</p>
      <p class="soft">Add the <code>--tools</code>, <code>--mcp</code> and <code>--policy</code> of the first time. A run of <code>tallystick serve</code> goes on when that runs again.</p>
      <span class="command"><code>${s}</code><${ge} text=${s} what="the command" /></span>`}
    <p class="act-title">${t===nl?"Or paste":"Paste"} this into an agent</p>
    <div class="take-up-text"><p>${i}</p><${ge} text=${i} what="the text for an agent" /></div>
  </div>`}function sl({execution:e,onDone:t}){let[n,o]=h(!1),r=el(e),s=e.interrupted&&a`<${w} kind="primary" icon="follow" aria-expanded=${String(n)} onClick=${()=>o(!n)}>Take it up<//>`;return a`<${Dn} about=${e.id} label="Decide about this execution" acts=${r} over=${`The execution is ${e.status} by now.`} first=${s} onDone=${t} />
    ${n&&e.interrupted&&a`<${Wf} execution=${e} />`}`}function rl({execution:e,step:t,failed:n,onDone:o}){return a`<${Dn} about=${`${e} ${t}`} label="Failed step" acts=${n?[tl(e,t)]:[]} over="No retry can be permitted any more." onDone=${o} />`}function Kf({text:e,word:t,done:n}){return a`<${w} icon="copy" onClick=${async()=>{let r=await Vt(e);$e(r?n:"It cannot be copied.",r?"ok":"failed")}}>${t}<//>`}G();v();Ae();te();U();F();G();v();te();U();F();var Vf=[["why","Why"],["question","Question"],["answer","Answer"],["reason","Reason"],["summary","Summary"],["error","Error"],["rejected","Why the others were not chosen"]];function al({seq:e,onAction:t}){let{data:n,problem:o,reload:r}=D({by:[e],kinds:["body_erased"]},c=>T("/v1/entries",{after:e-1,limit:1},{signal:c}));if(o)return a`<${L} problem=${o} retry=${r} />`;if(!n)return a`<${H} />`;let s=n.entries[0];if(!s||s.seq!==e)return a`<p class="soft">There is no entry ${e}, or you may not see it.</p>`;let i=s.body||{},{facts:l}=s;return a`<div class="detail-body">
    <h2>${Bn(s.kind)}</h2>
    <p class="detail-tags">${l.decision&&a`<strong>${l.decision}</strong>`}${l.status&&a`<${K} state=${l.status} />`}<${Xe} witness=${s.witness} /></p>
    <${Ne}
      rows=${[["entry",a`<code>${s.seq}</code>`],["about",s.id&&(s.id.startsWith("ac_")?a`<button type="button" class="row-button mono" onClick=${()=>t(s.id)}>${s.id}</button>`:a`<${Ue} id=${s.id} />`)],["by",a`<${m} text=${s.actor||"–"} /> (${s.actor_kind||"agent"})`],["at",a`<${N} at=${s.at} />`],["clock",s.behind&&`${pe(s.behind*1e3)} behind the entry before`],["step",l.step&&a`<code><${m} text=${l.step} /></code>`],["approval",l.approval_id&&a`<a href=${x(`/approvals/${l.approval_id}`)}><code>${l.approval_id}</code></a>`],["trace",s.trace&&a`<code>${s.trace}</code>`],["key",s.key&&a`<code>${s.key}</code>`],["hash",a`<code class="hash">${s.hash}</code>`]]}
    />
    ${s.kind==="unreadable"&&a`<p class="warn">This entry cannot be read: <${m} text=${l.problem} />. ${l.needs?`Install ${l.needs==="newer"?"the newest version":`version ${l.needs}`}.`:a`Run <code>tallystick verify</code> to see whether it was changed.`}</p>`}
    ${s.erased&&a`<p class="soft">Its text was erased. The entry remains, and the chain still verifies.</p>`}
    ${s.altered&&a`<p class="warn">Its stored text is not the one that was recorded, and is not shown. Run <code>tallystick verify</code>.</p>`}
    ${Vf.map(([c,d])=>typeof i[c]=="string"&&i[c]?a`<section class="part"><h3>${d}</h3><${Yt} text=${i[c]} /></section>`:null)}
    ${Array.isArray(i.alternatives)&&a`<section class="part"><h3>Alternatives</h3><ul>${i.alternatives.map(c=>a`<li><${m} text=${String(c)} /></li>`)}</ul></section>`}
    <section class="part"><h3>Raw</h3><${ie} value=${s} label="entry" /></section>
  </div>`}function il({entries:e}){return a`<section class="part">
    <h3>Entries (${e.length})</h3>
    ${e.map(t=>a`<details class="entry-raw" key=${t.seq}>
        <summary><span class="num faint">${t.seq}</span> ${Bn(t.kind)} <${Xe} witness=${t.witness} /> <span class="faint"><${m} text=${t.actor} /></span></summary>
        <${ie} value=${t} label=${`entry ${t.seq}`} />
        <p><a href=${x(location.pathname,{tab:"journal",entry:t.seq})}>Link to this entry</a></p>
      </details>`)}
  </section>`}var Bn=e=>e.replaceAll("_"," ");function ll({execution:e,status:t,action:n,step:o,entry:r,steps:s,onClose:i,onAction:l}){let c=A(null);return fe("Detail",{Escape:{label:"close the detail",run:i}}),_(()=>{let d=document.activeElement;return()=>{(!document.activeElement||document.activeElement===document.body)&&d instanceof HTMLElement&&d.isConnected&&d.focus()}},[]),_(()=>{matchMedia("(max-width: 1000px)").matches&&c.current?.focus()},[n,o,r]),a`<aside class="detail" aria-label="Detail" ref=${c} tabindex="-1">
    <div class="detail-close"><${ge} text=${location.href} what="link to this" /><${w} kind="ghost" icon="close" label="Close the detail" onClick=${i} /></div>
    ${n?a`<${Gf} key=${n} id=${n} execution=${e} onAction=${l} />`:r?a`<${al} key=${r} seq=${Number(r)} onAction=${l} />`:a`<${Jf} key=${o} execution=${e} status=${t} step=${s.find(d=>d.id===o)} onAction=${l} />`}
  </aside>`}function Gf({id:e,execution:t,onAction:n}){let{data:o,problem:r,reload:s}=D({by:[e],execution:t},$=>Promise.all([T(`/v1/actions/${encodeURIComponent(e)}`,{},{signal:$}),T("/v1/entries",{id:e,execution_id:t,limit:50},{signal:$})]));if(!o)return r?a`<${L} problem=${r} retry=${s} />`:a`<${H} />`;let[i,l]=o,{begin_body:c={},end_body:d={}}=i,u=$=>a`<button type="button" class="row-button mono" onClick=${()=>n($)}>${$}</button>`,p=d.before??c.before,f=l.entries.find($=>$.trace)?.trace;return a`<div class="detail-body">
    <${L} problem=${r} retry=${s} />
    <h2><${m} text=${c.summary||i.tool||i.id} /></h2>
    <p class="detail-tags"><${K} state=${i.state} /><${Xe} witness=${i.witness||"claimed"} />${i.kind==="undo"&&a`<${K} state="unwinding" word="undo" />`}</p>
    <${Ne}
      rows=${[["action",a`<${Ue} id=${i.id} />`],["tool",i.tool&&a`<code><${m} text=${i.tool} /></code>`],["step",i.step&&a`<a href=${x(location.pathname+location.search,{step:i.step,action:""})}><code><${m} text=${i.step} /></code></a>`],["by",i.actor&&a`<${m} text=${i.actor} />`],["attempt",(i.attempt||1)>1?String(i.attempt):""],["begun",a`<${N} at=${i.begun} />`],["took",i.ended?a`<${$t} from=${i.begun} to=${i.ended} />`:i.state==="in_doubt"?"no end is recorded":a`<${$t} from=${i.begun} />`],["effect",i.effect],["undo",i.undo_state&&a`<${K} state=${i.undo_state} quiet />`],["temporary",i.temporary&&"yes"],["recorded",i.after_the_fact&&"after the fact"],["permission",i.permission],["repeats",i.repeats&&a`${u(i.repeats)}, which was in doubt`],["repeated by",i.repeated_by?.length?u(i.repeated_by.at(-1)):""],["undoes",i.undoes&&u(i.undoes)],["undone by",i.undone_by&&u(i.undone_by)],["trace",f&&a`<code>${f}</code>`]]}
    />
    <${qn} action=${i.id} doubtful=${i.state==="in_doubt"} />
    <${me} title="Error">${d.error&&a`<${Yt} text=${d.error} />`}</${me}>
    <${me} title="Arguments">${"arguments"in c&&a`<${ie} value=${c.arguments} label="arguments" />`}</${me}>
    <${me} title="Result">${"result"in d&&a`<${ie} value=${d.result} label="result" />`}</${me}>
    <${me} title="Before and after">${p!==void 0&&d.after!==void 0&&a`<${qe} before=${p} after=${d.after} />`}</${me}>
    <${me} title="Before">${p!==void 0&&d.after===void 0&&a`<${ie} value=${p} label="before" />`}</${me}>
    <${me} title="After">${p===void 0&&d.after!==void 0&&a`<${ie} value=${d.after} label="after" />`}</${me}>
    <${me} title="Why it was repeated">${c.again&&a`<${m} text=${c.again} />`}</${me}>
    <${me} title="Evidence">${d.evidence&&a`<${m} text=${d.evidence} />`}</${me}>
    <${me} title="Outcome">${d.summary&&a`<${m} text=${d.summary} />`}</${me}>
    <${me} title="How to undo it">${c.undo&&a`<${ie} value=${c.undo} label="undo" />`}</${me}>
    <${il} entries=${l.entries} />
  </div>`}function Jf({execution:e,status:t,step:n,onAction:o}){let{data:r}=D({by:[e,n?.id],execution:e},i=>n?T(`/v1/executions/${encodeURIComponent(e)}/work`,{step:n.id,unfolded:!0},{signal:i}):Promise.resolve({rows:[]})),s=r?.rows||[];return n?a`<div class="detail-body">
    <h2><${m} text=${n.title||n.id} /></h2>
    <p class="detail-tags"><${K} state=${n.actual} /></p>
    <${Ne}
      rows=${[["step",a`<code>${n.id}</code>`],["tool",n.tool&&a`<code><${m} text=${n.tool} /></code>`],["after",n.after?.length&&a`<code>${n.after.join(", ")}</code>`],["can be undone",n.cancellable],["estimate",Number(n.estimate)?`${Number(n.estimate)} s`:""],["decided",n.decided]]}
    />
    <${rl} execution=${e} step=${n.id} failed=${n.actual==="failed"&&jn(t)} />
    <${me} title=${`Attempts (${s.length})`}>
      ${s.length?a`<ul class="plain-list">${s.map(i=>a`<li key=${i.id}><${K} state=${i.state} /><button type="button" class="row-button" onClick=${()=>o(i.id)}>${i.action_kind==="undo"?"undo":`attempt ${i.attempts||1}`}</button><span class="faint">${i.actor}</span><${N} at=${i.begun} /></li>`)}</ul>`:a`<p class="soft">No attempt yet.</p>`}
    </${me}>
  </div>`:a`<p class="soft">The current plan has no such step.</p>`}function me({title:e,children:t}){return t?a`<section class="part"><h3>${e}</h3>${t}</section>`:null}G();v();oe();te();F();function cl({execution:e,onAction:t}){let{data:n,problem:o,reload:r}=D({by:[e]},i=>T("/v1/in-doubt",{execution_id:e,limit:100},{signal:i})),s=Rn(n?.in_doubt??[]);return n?s.length?a`<div class="doubt-tab">
    <${L} problem=${o} retry=${r} />
    <p class="lead"><${k} name="in_doubt" /><span><strong>Actions with an unknown outcome. Do not repeat them.</strong> Check the real system, then record the outcome and your evidence.</span></p>
    ${s.map(i=>a`<${Yf} key=${i.action_id} item=${i} onAction=${t} />`)}
  </div>`:a`<${z} icon="completed" title="Nothing is in doubt.">Every action has a known outcome or is still in progress.</${z}>`:o?a`<${L} problem=${o} retry=${r} />`:a`<${H} />`}function Yf({item:e,onAction:t}){return a`<${R} class="doubt-item" title=${a`<${m} text=${e.summary||e.tool||e.action_id} />`} actions=${a`<${K} state="in_doubt" />`}>
    <p class="soft">Since <${N} at=${e.since} />: ${e.why}. ${e.kind==="undo"?"It is an undo. ":""}${e.tool&&a`<code><${m} text=${e.tool} /></code> `}<button type="button" class="row-button mono" onClick=${()=>t(e.action_id)}>${e.action_id}</button></p>
    ${e.arguments&&a`<${ie} value=${e.arguments} label="arguments" />`}
    <h3>How to check</h3>
    ${typeof e.probe=="string"?a`<p><${m} text=${e.probe} /></p>`:e.probe?.tool||e.probe?.words?a`${e.probe.words&&a`<p><${m} text=${e.probe.words} /></p>`}${e.probe.tool&&a`<p><code><${m} text=${e.probe.tool} /></code></p><${ie} value=${e.probe.arguments||{}} label="arguments of the probe" />`}`:a`<p>No probe is recorded. Look for traces of <code><${m} text=${e.tool||"the action"} /></code> in the real system.</p>`}
    <h3>What came of it</h3>
    <${qn} action=${e.action_id} doubtful=${!e.gone} />
  </${R}>`}G();v();oe();F();Fn();var Qf=[["html","HTML file","one file that opens without a server"],["jsonl","JSONL","one entry per line, for programs"],["csv","CSV","one entry per row, for a spreadsheet"],["markdown","Copy for a model","Markdown on the clipboard, values fenced as data"]];function dl({execution:e,end:t=!1}){let[n,o]=h(""),r=async s=>{o(s);try{let i=await T(`/v1/executions/${encodeURIComponent(e)}/report`,{form:s},{accept:"application/json"});s!=="markdown"?Je(i.name,i.text,i.media_type):await Vt(i.text)?$e("Copied as Markdown.","ok"):Je(i.name,i.text,i.media_type)}catch(i){$e(`The export failed: ${i.message}`,"failed")}o("")};return a`<${st} label="Export this execution" icon="export" word="Export" end=${t}>
    <div class="menu-list export-list">
      ${Qf.map(([s,i,l])=>a`<button key=${s} type="button" class="menu-item export-item" data-close disabled=${!!n} onClick=${()=>r(s)}>
        <${k} name=${s==="markdown"?"copy":"export"} /><span><strong>${i}</strong><span class="soft">${l}</span></span>
      </button>`)}
    </div>
  <//>`}v();oe();U();F();G();v();oe();te();U();F();function ul({row:e,query:t}){let n=t.get("only")||"",o=(e.total_steps||0)-(e.done_steps||0)-(e.skipped_steps||0),r=l=>x(`/x/${e.id}`,l),s=e.actions||{},i=[e.total_steps?["steps done",a`${e.done_steps||0}<small> of ${e.total_steps}</small>`,"ok",r({view:"plan"})]:["done",s.ok||0,"ok",r({only:"done"}),n==="done"],["failed",e.failed||0,"failed",r({only:"failed"}),n==="failed"],["in doubt",e.in_doubt||0,"doubt",r({tab:"doubt"})],["owed",e.owed||0,"undo",r({tab:"undo"})],["unplanned",e.unplanned||0,"idle",r({only:"unplanned"}),n==="unplanned"],["waiting",e.waiting||0,"waiting",x("/approvals",{execution:e.id})]];return e.total_steps&&i.splice(1,0,["steps left",o,"plain",r({view:"plan"})]),a`<ul class="tiles" aria-label="Figures">
    ${i.map(([l,c,d,u,p])=>a`<li key=${l}><a href=${u} aria-current=${p?"true":null} class=${ee("tile",`tone-${d}`,typeof c=="number"&&c>0&&d!=="plain"&&"tile-set")}><strong>${c}</strong><span>${l}</span></a></li>`)}
  </ul>`}function pl({row:e}){let t=e.failed>0&&e.status!=="completed",{data:n}=D({by:[e.id,t],execution:e.id,kinds:["action_ended","decision_recorded"]},r=>t?T(`/v1/executions/${encodeURIComponent(e.id)}/work`,{only:"failed",newest_first:!0,limit:1},{signal:r}):Promise.resolve({rows:[]})),o=t&&n?.rows[0];return o?a`<div class="x-failure"><${k} name="failed" /><p><button type="button" class="row-button" onClick=${()=>X({action:o.id,step:"",entry:""})}><${m} text=${o.summary||o.tool||o.id} /></button> failed${o.error?a`: <${m} text=${o.error.replace(/^failed: /,"")} />`:"."}</p></div>`:null}function fl({status:e,query:t,header_actions:n}){let o=e.execution;return a`<header class="x-head">
    <nav class="crumbs" aria-label="Breadcrumb"><a href=${x("/executions")}><${k} name="left" size=${12} />All executions</a></nav>
    <div class="x-title">
      <h1><${m} text=${o.title||o.id} /></h1>
      <${K} state=${o.interrupted?"interrupted":o.status} />
      <div class="x-actions">
        ${n&&a`<${n} status=${e} />`}
        <${ze} href=${x(`/replay/${o.id}`)} icon="replay">Replay</${ze}>
        <${ze} href=${x("/compare",{a:o.id})} icon="compare">Compare</${ze}>
        <${dl} execution=${o.id} end />
      </div>
    </div>
    <dl class="x-facts">
      <div><dt>execution</dt><dd><${Ue} id=${o.id} /></dd></div>
      ${o.plan_id&&a`<div><dt>plan</dt><dd><a href=${x(`/plans/${o.plan_id}`)}><code>${o.plan_id}</code></a> <span class="faint">revision ${o.revision}</span></dd></div>`}
      <div><dt>by</dt><dd><${m} text=${o.actor||"–"} />${o.client&&a` <span class="faint"><${m} text=${o.client} /></span>`}</dd></div>
      ${o.task_id&&a`<div><dt>task</dt><dd><a href=${x("/executions",{q:`task:${o.task_id}`})}><${m} text=${o.task_id} /></a></dd></div>`}
      <div class="x-more"><dt>started</dt><dd><${N} at=${o.started} /></dd></div>
      <div><dt>${o.ended||o.interrupted?"took":"for"}</dt><dd><${$t} from=${o.started} to=${o.ended||o.interrupted} /></dd></div>
      ${o.interrupted&&a`<div><dt>interrupted</dt><dd><${N} at=${o.interrupted} /> <span class="faint">while ${o.status}, last worked on by <${m} text=${o.interrupted_by||o.last_session} /></span></dd></div>`}
      ${!o.ended&&a`<div><dt>last entry</dt><dd><${N} at=${o.last} /></dd></div>`}
      <div class="x-more"><dt>record</dt><dd><${Zf} coverage=${e.coverage} id=${o.id} /></dd></div>
      ${o.total_steps?a`<div><dt>steps</dt><dd><${It} row=${o} steps=${e.steps.filter(r=>!r.dropped).map(r=>r.actual)} /> <span class="num">${rt(o)}</span></dd></div>`:null}
    </dl>
    <${pl} row=${o} />
    <${e$} status=${e} />
    <${sl} execution=${o} />
    <${ul} row=${o} query=${t} />
  </header>`}function Zf({coverage:e,id:t}){if(!e)return"–";let n=e.observers?.length,o=e.observers?.some(r=>r.silent);return a`<a href=${x(`/x/${t}`,{tab:"coverage"})}>${e.ended||0} of ${e.begun||0} actions finished.</a>
    <span class="faint"> ${o?"Hooks are silent.":n?"Observed.":"Not observed by hooks."}</span>`}function e$({status:e}){let t=e.last_decision,n=[...(e.advice||[]).map(o=>a`<span class="advice"><${k} name="warning" /><span><code><${m} text=${o.step} /></code> failed: <${m} text=${o.text} /></span></span>`),t?.decision&&a`<span class="advice"><${k} name="claimed" /><span>last decision <strong>${t.decision}</strong>${t.why&&a`: <${m} text=${t.why} />`}</span></span>`].filter(Boolean);return n.length?a`<div class="notices">${n}</div>`:null}v();U();He();We();v();oe();F();var t$={failed:"undo failed",in_doubt:"undo in doubt"},zn=e=>e.kind==="group"?e.tool||e.actor||e.summary||e.id:e.summary||e.tool||e.id,Lt=e=>e.kind==="step"?e.action_id||"":e.kind==="group"?"":e.id,fr=e=>e.depth===0&&(e.kind==="group"||e.kind==="step"&&((e.attempts||0)>1||!!e.undone_by)),$l=({shown:e,count:t})=>t?`${e} of ${t} shown`:`the first ${e} shown`;function n$(e){let t=Object.entries(e.states||{}).filter(([o])=>o!=="ok"),n=e.attempts||0;return[e.kind==="group"&&`${e.count} calls`,e.shown&&$l(e),...t.map(([o,r])=>`${r} ${Ct(o).word}`),e.kind==="step"&&n>1&&`${n} attempts`,e.kind==="action"&&n>1&&`attempt ${n}`,e.unplanned&&"unplanned",e.dropped&&"dropped from the plan",e.late&&"recorded after the end",e.temporary&&"temporary",e.decided&&`decided: ${e.decided}`,e.kind==="step"&&e.cancellable==="irreversible"&&"irreversible",e.permission,e.silent].filter(Boolean)}function $r(e){let t=e.ended||e.lost;return e.begun&&t?pe(Date.parse(t)-Date.parse(e.begun)):!e.begun&&e.estimate?`about ${pe(e.estimate*1e3,1)}`:e.begun&&["open","running"].includes(e.state)?"under way":""}function ml({row:e,index:t,height:n,place:o,on:r,focusable:s,unfolded:i,loading:l,row_actions:c,onSelect:d,onToggle:u}){if(e.kind==="rest")return a`<${o$} row=${e} index=${t} height=${n} focusable=${s} onSelect=${d} />`;let{tone:p,icon:f,word:$}=Ct(e.state),g=n$(e),b=e.kind==="group"&&!e.tool?"":e.actor;return a`<div class=${ee("work-row",`tone-${p}`,r&&"work-on",e.depth>0&&"work-inside",e.unplanned&&"work-unplanned",!e.begun&&"work-ahead")} role="row" aria-rowindex=${t+2} style=${{height:`${n}px`}} data-row=${e.key}>
    <div role="cell" class="work-what">
      ${fr(e)?a`<button type="button" class="work-fold" aria-expanded=${String(i)} aria-label=${`${i?"Fold":"Unfold"} ${_e(zn(e))}`} tabindex=${s?0:-1} onClick=${()=>u(e)}><${k} name=${i?"down":"right"} size=${12} /></button>`:a`<span class="work-fold" />`}
      <span class="work-icon"><${k} name=${e.action_kind==="undo"&&e.state==="ok"?"unwinding":f} /></span>
      <div class="work-text">
        <p class="work-title"><button type="button" class="row-button cut" data-focus tabindex=${s?0:-1} aria-pressed=${String(r)} onClick=${()=>d(e)}>${e.action_kind==="undo"?"undo: ":""}<${m} text=${zn(e)} /></button>${g.length>0&&a`<span class="work-notes">${g.join(" · ")}</span>`}</p>
        <p class="work-more cut">${e.error?a`<span class="work-error"><${m} text=${e.error} /></span>`:a`${e.tool&&e.tool!==zn(e)&&a`<code><${m} text=${e.tool} /></code>`}${b&&a`<span><${m} text=${b} /></span>`}${l&&a`<span>loading…</span>`}`}</p>
      </div>
    </div>
    <div role="cell" class="work-state"><span>${$}</span>${e.undo_state&&!["not_undone",e.state].includes(e.undo_state)&&a`<${K} state=${e.undo_state} quiet word=${t$[e.undo_state]||""} />`}</div>
    <div role="cell" class="work-actions">${c&&a`<${c} row=${e} />`}</div>
    <div role="cell" class="work-took num">${$r(e)}</div>
    <div role="cell" class="work-chart">${o&&a`<${s$} row=${e} place=${o} />`}</div>
  </div>`}function o$({row:e,index:t,height:n,focusable:o,onSelect:r}){return a`<div class="work-row work-inside tone-plain" role="row" aria-rowindex=${t+2} style=${{height:`${n}px`}} data-row=${e.key}>
    <div role="cell" class="work-what"><span class="work-fold" /><span class="work-icon"><${k} name="down" /></span>
      <div class="work-text"><p class="work-title"><button type="button" class="row-button" data-focus tabindex=${o?0:-1} onClick=${()=>r(e)}>Show more</button><span class="work-notes">${$l(e)}</span></p></div></div>
    <div role="cell" class="work-state" /><div role="cell" class="work-actions" /><div role="cell" class="work-took" /><div role="cell" class="work-chart" />
  </div>`}function s$({row:e,place:t}){let n=ee("work-bar",`bar-${e.state}`,e.action_kind==="undo"&&"bar-undo",e.kind==="group"&&"bar-group",t.open&&"bar-open");return a`<span class=${n} aria-hidden="true" style=${{left:`${t.left*100}%`,width:`${t.width*100}%`}} />`}var r$=["not_undone","partly","failed","may_be_undo"],Ao=(e,t)=>({row:n})=>n.kind==="group"?null:n.state==="in_doubt"?a`<${Io} row=${n} word="Settle" to=${{action:Lt(n)}} />`:n.undo_state==="in_doubt"?a`<${Io} row=${n} word="Settle the undo" to=${{tab:"doubt"}} />`:e&&r$.includes(n.undo_state||"")?a`<${Io} row=${n} word="Undo or keep" to=${{tab:"undo"}} />`:t&&n.kind==="step"&&n.state==="failed"?a`<${Io} row=${n} word="Retry" to=${{step:n.id}} />`:null,a$=[Ao(!1,!1),Ao(!1,!0),Ao(!0,!1),Ao(!0,!0)],hl=({status:e,owed:t})=>a$[(t?2:0)+Number(jn(e))];function Io({row:e,word:t,to:n}){let o=()=>X({action:"",step:"",entry:"",...n});return a`<${w} aria-label=${`${t}: ${_e(zn(e))}`} onClick=${o}>${t}<//>`}G();v();te();F();v();oe();F();var i$={known:"",unknown:"No undo is recorded. Check what it did, and decide.",erased:"The text of the undo was erased.",altered:"The stored text of the undo was altered and is not shown.",irreversible:"It is recorded as irreversible."};function gl({items:e,lead:t,more:n=!1,rest:o,empty:r,onAction:s,actsOf:i}){return a`<div class="owed-tab">
    <p class="lead"><${k} name="owed" /><span><strong>${t}</strong>${e.length>0&&a` Undo from top to bottom. This page undoes nothing: you, an agent or a runner undoes an action, and records that with <code>kind=undo</code>.`}</span></p>
    ${e.length?a`<ol class="owed-list">${e.map(l=>a`<${l$} key=${l.action_id} item=${l} onAction=${s} acts=${i?.(l)} />`)}</ol>
          ${n&&a`<p class="soft">These are the first ${e.length}. The rest: <code>${o}</code></p>`}`:a`<${z} icon="completed" title=${r}>Every action is undone or kept.</${z}>`}
  </div>`}function l$({item:e,onAction:t,acts:n}){let o=i$[e.way]??e.way;return a`<li class="owed-item">
    <div class="owed-what">
      <p><button type="button" class="row-button" onClick=${()=>t(e.action_id)}><${m} text=${e.summary||e.tool||e.action_id} /></button>
        <span class="faint"> ${e.tool&&a`<code><${m} text=${e.tool} /></code> `}${e.step&&a`step <code><${m} text=${e.step} /></code>`}</span></p>
      <p class="detail-tags"><${K} state=${e.state} word=${e.state==="failed"?"undo failed":""} />${e.temporary&&a`<span class="maybe"><${k} name="late" size=${14} />temporary</span>`}${e.certain===!1&&a`<span class="maybe"><${k} name="in_doubt" size=${14} />may have happened</span>`}<${c$} at=${e.deadline} /></p>
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
  </li>`}function c$({at:e}){let t=Date.parse(e)-we();return e?t<0?a`<span class="warn">undo was possible until <${N} at=${e} /></span>`:a`<span class="faint" title=${e}>can be undone for ${pe(t)} more</span>`:null}var d$=100,bl=e=>Date.parse(e.deadline)>Date.now();function u$(e){if(e.owed==="nothing")return`Nothing of this is owed.${e.items.some(bl)?" Some of it can be undone only for a while: undo or keep it in time.":""}`;let t=`${e.more_due?"More than ":""}${e.due} of this ${e.due===1?"is":"are"}`;return`${e.owed==="all"?"All of this is":t} owed: somebody still has to undo it.`}function yl({execution:e,onAction:t}){let{data:n,problem:o,reload:r}=D({by:[e],execution:e},i=>T(`/v1/executions/${encodeURIComponent(e)}/undo-list`,{limit:d$},{signal:i})),s=Rn(n?.items??[]);return n?a`<${L} problem=${o} retry=${r} />
    <${gl} items=${s} lead=${u$(n)} more=${!!n.next_cursor} rest=${`tallystick undo-list ${e}`} empty="The undo list is empty." onAction=${t}
    actsOf=${i=>a`<${ol} item=${i} offered=${n.owed!=="nothing"||bl(i)} onDone=${r} />`} />`:o?a`<${L} problem=${o} retry=${r} />`:a`<${H} />`}G();v();Ae();te();U();F();v();mr();F();v();var p$=5,wl=.01;function vl(e){let[t,n]=h(null),o={from:-wl*e,to:(1+wl)*e},r=t||o,s=be(c=>{let d=Math.max(p$,c.to-c.from);if(d>=o.to-o.from)return n(null);let u=Math.min(Math.max(c.from,o.from),o.to-d);return n({from:u,to:u+d})},[e]);return{view:r,zoomed:t!==null,zoom:(c,d=.5)=>{let u=(r.to-r.from)*c,p=r.from+d*(r.to-r.from);s({from:p-d*u,to:p+(1-d)*u})},pan:c=>{let d=c*(r.to-r.from);s({from:r.from+d,to:r.to+d})},show:s,fit:()=>n(null)}}function Hn(){let e=A(null),[t,n]=h(0);return ke(()=>{let o=e.current,r=()=>n(Math.floor(o.getBoundingClientRect().width)),s=new ResizeObserver(r);return s.observe(o),r(),()=>s.disconnect()},[]),[e,t]}function kl(e,t){let n=A(t);n.current=t,_(()=>{let o=e.current,r=new Map,s=u=>{let{left:p,width:f}=o.getBoundingClientRect();return(u-p)/f},i=u=>{let p=Math.abs(u.deltaX)>Math.abs(u.deltaY)?u.deltaX:u.shiftKey?u.deltaY:0;if(u.ctrlKey||u.metaKey)n.current.zoom(Math.exp(u.deltaY/300),s(u.clientX));else if(p)n.current.pan(p/800);else return;u.preventDefault()},l=u=>{u.button===0&&r.set(u.pointerId,u.clientX)},c=u=>{let p=r.get(u.pointerId);if(p===void 0)return;let f=[...r].filter(([$])=>$!==u.pointerId).map(([,$])=>$);if(f.length){let $=Math.abs(p-f[0])/Math.max(8,Math.abs(u.clientX-f[0]));n.current.zoom(Math.min(2,Math.max(.5,$)),s((u.clientX+f[0])/2))}else if(Math.abs(u.clientX-p)>2)o.setPointerCapture(u.pointerId),n.current.pan((p-u.clientX)/o.getBoundingClientRect().width);else return;r.set(u.pointerId,u.clientX)},d=u=>{r.delete(u.pointerId)};o.addEventListener("wheel",i,{passive:!1}),o.addEventListener("pointerdown",l),o.addEventListener("pointermove",c);for(let u of["pointerup","pointercancel"])o.addEventListener(u,d);return()=>{o.removeEventListener("wheel",i),o.removeEventListener("pointerdown",l),o.removeEventListener("pointermove",c);for(let u of["pointerup","pointercancel"])o.removeEventListener(u,d)}},[])}var bt=216,Rt=46,Sl=27,El=400,Ml=.7;function Cl({work:e,selected:t,onStep:n}){let[o,r]=Hn(),[s,i]=h(0),l=e.rows.filter(M=>M.kind==="step"&&M.depth===0),c=e.complete||e.rows.length>l.length,d=l.length>El;_(()=>{!c&&!d&&!e.problem&&e.more()});let u=d||!c?"":l.map(M=>`${M.id} ${(M.after||[]).join()}`).join("|"),p=Oo(xl),f=le(()=>p&&u&&r?$$(p,l,r):null,[p,u,r]),$=f?Math.min(1,Math.max(Ml,r/f.width)):1,g=s||$,b=le(()=>m$(l),[u,e.rows]),C=new Map(l.map(M=>[M.id,M]));return a`<div class="graph-view" ref=${o}>
    ${d?a`<${z} icon="graph" title=${`The plan has more than ${El} steps.`}>They are listed under Plan.</${z}>`:f?a`
    <div class="graph-tools"><span class="soft">${b.size>1?a`<span class="critical-key" aria-hidden="true" /> critical path`:null}</span>
      <span class="work-zoom"><${w} kind="ghost" icon="zoomout" label="Zoom out" onClick=${()=>i(Math.max(.25,g/1.3))} /><${w} kind="ghost" icon="zoomin" label="Zoom in" onClick=${()=>i(Math.min(2.5,g*1.3))} /><${w} kind="ghost" icon="fit" label="Fit" onClick=${()=>i(0)} disabled=${!s} /></span></div>
    <div class="graph" tabindex="0" role="region" aria-label="Graph of the plan">
      <svg width=${Math.ceil(f.width*g)} height=${Math.ceil(f.height*g)} viewBox=${`0 0 ${f.width} ${f.height}`} role="group" aria-label="Steps and what each comes after">
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerUnits="userSpaceOnUse" markerWidth="9" markerHeight="9" orient="auto"><path class="edge-tip" d="M0 0L8 4 0 8z" /></marker>
        </defs>
        ${f.edges.map(M=>a`<path class=${ee("edge",b.has(M.from)&&b.get(M.from)===M.to&&"edge-critical")} d=${M.path} marker-end="url(#arrow)" />`)}
        ${f.nodes.map(({id:M,x:y,y:S})=>C.has(M)&&a`<${f$} key=${M} step=${C.get(M)} x=${y} y=${S} on=${t===M} critical=${b.has(M)} onStep=${n} />`)}
      </svg>
    </div>`:!c||u?a`<${H} what="Loading the steps" />`:a`<${z} icon="graph" title="Ad hoc: there is no plan to draw." />`}
  </div>`}function f$({step:e,x:t,y:n,on:o,critical:r,onStep:s}){let{tone:i,word:l}=Ct(e.state),c=_e(e.summary||e.id),d=c.length>Sl?`${c.slice(0,Sl-1).trimEnd()}…`:c,u=e.attempts||0,p=[l,$r(e),u>1&&`${u} attempts`,e.cancellable==="irreversible"&&"irreversible"].filter(Boolean).join(", "),f=()=>s(e.id);return a`<g class=${ee("node",`tone-${i}`,e.state==="in_doubt"&&"node-doubt",e.state==="planned"&&"node-planned",o&&"node-on",r&&"node-critical")} role="button" tabindex="0" aria-label=${`${d} ${p}${r?", on the critical path":""}`} aria-pressed=${String(o)} onClick=${f} onKeyDown=${$=>($.key==="Enter"||$.key===" ")&&($.preventDefault(),f())}>
    <title>${c}</title>
    <rect x=${t-bt/2} y=${n-Rt/2} width=${bt} height=${Rt} rx="3" />
    <rect class="node-edge" x=${t-bt/2} y=${n-Rt/2} width="4" height=${Rt} rx="1" />
    <text class="node-title" x=${t-bt/2+14} y=${n-3}>${d}${" "}</text>
    <text class="node-state" x=${t-bt/2+14} y=${n+13}>${p}</text>
  </g>`}function $$(e,t,n){let o=Tl(e,t,!0);return n/o.width>=Ml?o:Tl(e,t,!1)}function Tl({Graph:e,layout:t},n,o){let r=new e;r.setGraph({rankdir:o?"LR":"TB",nodesep:18,ranksep:o?44:28,marginx:16,marginy:16}),r.setDefaultEdgeLabel(()=>({}));for(let l of n)r.setNode(l.id,{width:bt,height:Rt});for(let[l,c]of Al(n))r.hasNode(l)&&r.setEdge(l,c);t(r);let{width:s=0,height:i=0}=r.graph();return{width:Math.ceil(s),height:Math.ceil(i),nodes:r.nodes().map(l=>({id:l,...r.node(l)})),edges:r.edges().map(l=>({from:l.v,to:l.w,path:g$(r.node(l.v),r.node(l.w),r.edge(l).points.slice(1,-1),o)}))}}function Al(e){return e.some(t=>t.after?.length)?e.flatMap(t=>(t.after||[]).map(n=>[n,t.id])):e.slice(1).map((t,n)=>[e[n].id,t.id])}function m$(e){let t=new Map;for(let[d,u]of Al(e))t.set(u,[...t.get(u)||[],d]);let n=new Map(e.map(d=>[d.id,d])),o=new Map,r=new Set,s=d=>{if(o.has(d)||r.has(d))return;r.add(d);let u=(t.get(d)||[]).filter(f=>n.has(f));u.forEach(s);let p=u.reduce((f,$)=>(o.get($)?.length??0)>(o.get(f)?.length??-1)?$:f,"");o.set(d,{length:h$(n.get(d))+(o.get(p)?.length??0),from:p})};e.forEach(d=>s(d.id));let[i,l]=[...o].reduce((d,u)=>u[1].length>d[1].length?u:d,["",{length:0,from:""}]),c=new Map;for(let d=i,u="",p=l.from;d;[u,d,p]=[d,p,o.get(p)?.from??""])c.set(d,u);return c}function h$(e){return e.begun&&e.ended?Math.max(0,Date.parse(e.ended)-Date.parse(e.begun))/1e3:Number(e.estimate)||0}function g$(e,t,n,o){let[r,s]=o?[bt/2,0]:[0,Rt/2],i={x:e.x+r,y:e.y+s},l={x:t.x-r,y:t.y-s},c=o?l.x-i.x>bt:l.y-i.y>Rt,d=[i,...c?n:[],l];return d.slice(1).reduce((u,p,f)=>{let $=d[f],[g,b]=o?[(p.x-$.x)/2,0]:[0,(p.y-$.y)/2];return`${u}C${$.x+g} ${$.y+b} ${p.x-g} ${p.y-b} ${p.x} ${p.y}`},`M${i.x} ${i.y}`)}v();var b$=200,Il=1e3,Ol=500;function Nl({order:e,only:t}){return t?{only:t}:e==="newest"?{newest_first:!0}:{order:e}}function Dl({read:e,wanted:t,by:n,version:o}){let[,r]=Ft(y=>y+1,0),s=A(Ll()).current,i=A({read:e,wanted:t});i.current={read:e,wanted:t};let l=async y=>{let{turn:S}=s;try{await y(S),S===s.turn&&(s.problem=null)}catch(I){S===s.turn&&(s.problem=I)}S===s.turn&&r(0)},c=async(y,S)=>{let I=S?s.pages[S-1].next:"",V=S?Il:b$,j=await i.current.read({...Nl(i.current.wanted),limit:V,cursor:I});if(y!==s.turn)return;let O=s.pages[S];s.pages[S]={cursor:I,next:j.next_cursor||"",rows:j.rows,stale:!1},O&&O.next!==s.pages[S].next&&(s.pages.length=S+1),s.version+=1,s.complete=!s.pages[s.pages.length-1].next},d=async(y,S,I=!1)=>{let V=s.open.get(S.key),{rows:j,next:O}=I&&V?V:{rows:[],next:S.inside||""},P=I?j.length+Ol:Math.max(Ol,V?.rows.length||0),q=S.kind==="group"?Math.min(S.count||1,P):P,W=S.kind==="group"?Nl(i.current.wanted):{step:S.id};do{let J=await i.current.read({...W,cursor:O,limit:Math.min(q-j.length,Il),unfolded:!0});j=[...j,...J.rows],O=J.next_cursor||""}while(O&&j.length<q);y===s.turn&&s.open.has(S.key)&&s.open.set(S.key,{rows:j,next:O}),s.version+=1},u=be(()=>{s.loading||s.complete||!s.pages.length||(s.loading=!0,l(y=>c(y,s.pages.length)).finally(()=>{s.loading=!1,r(0)}))},[]),p=be(()=>{if(s.loading)return void(s.due=!0);s.loading=!0;let[y,S]=s.view;l(async I=>{let V=s.pages.map((j,O)=>O).filter(j=>j===0||j>=y&&j<=S||j===s.pages.length-1);for(let j of s.pages)j.stale=!0;for(let j of V)(s.pages[j]||!j)&&await c(I,j);s.pages.length||await c(I,0);for(let j of Rl(s).rows.filter(({depth:O,key:P})=>!O&&s.open.has(P)))await d(I,j)}).finally(()=>{s.loading=!1,s.due&&(s.due=!1,p()),r(0)})},[]),f=be((y,S)=>{s.view=[y,S],!s.loading&&s.pages.slice(y,S+1).some(I=>I.stale)&&p()},[]),$=be(y=>{s.open.delete(y.key)||(s.open.set(y.key,null),l(S=>d(S,y))),s.version+=1,r(0)},[]),g=be(y=>{l(S=>d(S,y,!0))},[]);_(()=>(Object.assign(s,Ll()),r(0),p(),()=>{s.turn={}}),[n,t.order,t.only]);let b=A(o);_(()=>{b.current!==o&&(b.current=o,p())},[o]);let{rows:C,pageOf:M}=le(()=>Rl(s),[s.version,s.turn]);return{rows:C,pageOf:M,complete:s.complete,started:s.pages.length>0,problem:s.problem,open:s.open,more:u,see:f,toggle:$,further:g,retry:p}}var Ll=()=>({turn:{},pages:[],open:new Map,view:[0,0],loading:!1,due:!1,complete:!1,version:0,problem:null});function Rl({pages:e,open:t}){let n=[];e.forEach((s,i)=>{for(let l of s.rows){let c={...l,key:`${l.kind} ${l.id}`,depth:0},d=n.at(-1);d&&x$(d.row,c)?d.row=_$(d.row,c):n.push({row:c,page:i})}});let o=[],r=[];for(let{row:s,page:i}of n)for(let l of y$(s,t.get(s.key)))o.push(l),r.push(i);return{rows:o,pageOf:r}}function y$(e,t){if(!t)return[e];let n=t.rows.length,o=e.kind==="group"?(e.count||0)>n:!!t.next,r=t.rows.map(s=>({...s,key:`${e.key} ${s.id}`,depth:1}));return o?[{...e,shown:n},...r,{kind:"rest",id:"",state:"",key:`${e.key} rest`,depth:1,count:e.count,shown:n,of:e}]:[e,...r]}function x$(e,t){return e.kind==="group"&&t.kind==="group"&&e.tool===t.tool&&e.step===t.step&&e.actor===t.actor&&!!(e.tool||e.actor_kind==="sub-agent")}function _$(e,t){let n={...e.states};for(let[r,s]of Object.entries(t.states||{}))n[r]=(n[r]||0)+s;let o=n.failed?"failed":e.state;return{...e,state:o,states:n,count:(e.count||0)+(t.count||0),ended:t.ended||e.ended,error:e.error||t.error}}v();et();F();var hr=[1,2,5,10,20,50,100,200,500,1e3,2e3,5e3,1e4,15e3,3e4,6e4,12e4,3e5,6e5,9e5,18e5,36e5,72e5,144e5,216e5,432e5,864e5,1728e5,6048e5];function Pl(e){let t=w$(e);if(!t.length)return[{from:0,to:1e3,at:0,size:1e3,gap:!1}];let n=t.reduce((d,u)=>d+u.to-u.from,0),o=Math.max(3e4,.06*n),r=Math.max(.03*n,2e3),s=[],i=0,l=(d,u,p)=>{let f=p?r:u-d;s.push({from:d,to:u,at:i,size:f,gap:p}),i+=f},c=t[0].from;return t.forEach((d,u)=>{let p=t[u+1];p&&p.from-d.to<=o||(l(c,Math.max(d.to,c+1),!1),p&&(l(d.to,p.from,!0),c=p.from))}),s}function w$(e){let t=[...e].sort((o,r)=>o.from-r.from),n=[];for(let o of t){let r=n[n.length-1];r&&o.from<=r.to?r.to=Math.max(r.to,o.to):n.push({...o})}return n}function No(e,t){let n=0,o=e.length-1;for(;n<o;){let i=n+o+1>>1;e[i].from<=t?n=i:o=i-1}let r=e[n],s=(t-r.from)/Math.max(1,r.to-r.from);return r.at+Math.max(0,Math.min(1,s))*r.size}var jl=e=>e[e.length-1].at+e[e.length-1].size;function ql(e,t,n,o,r){let s=1/Math.max(1e-9,t(1)-t(0)),i=hr.find(c=>c>=o*s)||hr[hr.length-1],l=[];for(let c of e){if(c.gap||c.at>n.to||c.at+c.size<n.from)continue;let d=Math.max(c.from,c.from+(n.from-c.at)),u=Math.min(c.to,c.from+(n.to-c.at));for(let p=Math.ceil((d+r)/i)*i-r;p<=u;p+=i)l.push({time:p,x:t(c.at+p-c.from)})}return{step:i,marks:l}}var Fl=44,v$=60,k$=620,Bl=5e3,S$=2e4,E$=20,T$=84;function zl({work:e,execution:t,selected:n="",row_actions:o,onSelect:r,empty:s}){let{rows:i,complete:l,open:c}=e,[d,u]=Hn(),p=u>0&&u<k$,f=(p?v$:Fl)+(ye("density")==="comfortable"?8:0),{scale:$,edge:g}=M$(i,t,l),b=vl(jl($)),{view:C}=b,[M,y]=h(0),S=A([0,0]),I=A(null),V=B=>(No($,B)-C.from)/(C.to-C.from),j=B=>C$(B,V,g),O=be((B,xe)=>{S.current=[B,xe],e.see(e.pageOf[B]??0,e.pageOf[Math.min(xe,e.pageOf.length)-1]??0)},[e.pageOf]);_(()=>{e.started&&!e.problem&&S.current[1]>=i.length-E$&&e.more()});let P=()=>{let B=i.slice(...S.current).filter(ve=>ve.begun);if(!B.length)return;let xe=Math.min(...B.map(ve=>No($,Date.parse(ve.begun)))),Ye=Math.max(...B.map(ve=>No($,gr(ve,g))));b.show({from:xe-(Ye-xe)*.02,to:Ye+(Ye-xe)*.02})},q=O$(d,i,y,e.toggle,{zoom:b,fitRows:P}),W=B=>B.of?e.further(B.of):B.kind==="group"?e.toggle(B):r(B),J=Math.min(M,i.length-1),re=i.findIndex(B=>n&&(Lt(B)===n||B.kind==="step"&&B.id===n));return _(()=>{re>=0&&y(re)},[re]),a`<div class=${ee("waterfall",p&&"waterfall-narrow",o&&"waterfall-acting")} ref=${d} data-testid="waterfall" onKeyDown=${q}>
    <${L} problem=${e.problem} retry=${e.retry} />
    ${e.started?!i.length&&l?s||a`<${z} icon="timeline" title="No actions yet.">Actions appear here as soon as they begin.</${z}>`:a`
      <${Ot}
        label="Steps and actions"
        outer="table"
        role="rowgroup"
        rows=${i}
        height=${f}
        selected=${re}
        onRange=${O}
        head=${a`<div class="work-head" role="rowgroup"><div class="work-row work-head-row" role="row">
          <span role="columnheader" class="work-what">what</span><span role="columnheader" class="work-state">state</span><span role="columnheader" class="work-actions"><span class="visually-hidden">what to do</span></span><span role="columnheader" class="work-took">took</span>
          <div role="columnheader" class="work-chart" ref=${I}><span class="visually-hidden">when</span><${A$} scale=${$} view=${C} share=${V} zoom=${b} /></div>
        </div></div>`}
        row=${(B,xe)=>a`<${ml} key=${B.key} row=${B} index=${xe} height=${f} place=${j(B)} on=${xe===re} focusable=${xe===J} unfolded=${c.has(B.key)} loading=${c.get(B.key)===null} row_actions=${o} onSelect=${W} onToggle=${e.toggle} />`}
      />
      <div class="work-foot">
        <span class="soft" role="status">${i.length}${l?"":"+"} row${i.length===1?"":"s"}</span>
        <span class="work-zoom">
          <${w} kind="ghost" icon="table" label="Zoom to the rows in view" onClick=${P} />
          <${w} kind="ghost" icon="zoomout" label="Zoom out" onClick=${()=>b.zoom(1.6)} disabled=${!b.zoomed} />
          <${w} kind="ghost" icon="zoomin" label="Zoom in" onClick=${()=>b.zoom(.6)} />
          <${w} kind="ghost" icon="fit" label="Show all" onClick=${b.fit} disabled=${!b.zoomed} />
        </span>
      </div>`:a`<${H} what="Loading" />`}
  </div>`}function M$(e,t,n){let o=we(),r=Date.parse(t.interrupted||t.last||t.started)||o,i=!t.ended&&!t.interrupted?Math.min(Math.max(r,Math.ceil(o/Bl)*Bl),r+S$):r;return{scale:le(()=>{let c=e.filter(p=>p.begun).map(p=>({from:Date.parse(p.begun),to:gr(p,i)})),d=Math.max(i,...c.map(p=>p.to).slice(-1)),u=n||!c.length?d:c[c.length-1].to;return Pl([...c,{from:Math.min(u,d),to:d}])},[e,i,n]),edge:i}}function gr(e,t){let n=Date.parse(e.begun),o=e.ended||e.lost;return Math.max(n,o?Date.parse(o):t)}function C$(e,t,n){if(!e.begun)return null;let o=t(Date.parse(e.begun)),r=t(gr(e,n));if(r<0||o>1)return null;let s=Math.max(0,Math.min(o,1));return{left:s,width:Math.max(0,Math.min(r,1)-s),open:!e.ended&&!e.lost}}function A$({scale:e,view:t,share:n,zoom:o}){let[r,s]=Hn();kl(r,o);let l=ye("zone")==="utc"?0:-new Date().getTimezoneOffset()*6e4,c=p=>(p-t.from)/(t.to-t.from)*s,{step:d,marks:u}=s?ql(e,c,t,T$,l):{step:0,marks:[]};return a`<div class="work-axis" ref=${r} aria-hidden="true" title="Drag to move, Ctrl and wheel to zoom">
    ${e.filter(p=>p.gap&&p.at+p.size>t.from&&p.at<t.to).map(p=>{let f=pe(p.to-p.from,1);return a`<span class="work-gap" title=${`${f} without entries`} style=${{left:`${c(p.at)}px`,width:`${c(p.at+p.size)-c(p.at)}px`}}><span>${f}</span></span>`})}
    ${u.map(({time:p,x:f})=>a`<span class="work-tick" style=${{left:`${Math.round(f)}px`}}>${I$(p,d)}</span>`)}
  </div>`}function I$(e,t){let n={hour:"2-digit",minute:"2-digit"};return t<6e4&&(n.second="2-digit"),t<1e3&&(n.fractionalSecondDigits=3),t>=432e5&&Object.assign(n,{day:"numeric",month:"short"}),new Date(e).toLocaleTimeString("en-GB",{...n,timeZone:vo("zone")==="utc"?"UTC":void 0})}function O$(e,t,n,o,{zoom:r,fitRows:s}){let i=A("");return ke(()=>{if(!i.current)return;let l=e.current?.querySelector(`[data-row="${CSS.escape(i.current)}"] [data-focus]`);l&&(i.current="",l.focus({preventScroll:!0}),l.scrollIntoView({block:"nearest"}))}),l=>{let c=l.target;if(!c.matches("[data-focus], .work-fold, .virtual"))return;let d=t.findIndex(C=>C.key===c.closest("[data-row]")?.getAttribute("data-row")),u=C=>{let M=Math.min(Math.max(C,0),t.length-1),y=e.current.querySelector(".virtual"),S=y.querySelector("[data-row]")?.offsetHeight||Fl,I=y.clientHeight-S;M*S<y.scrollTop?y.scrollTop=M*S:M*S>y.scrollTop+I-S&&(y.scrollTop=M*S-I+S),i.current=t[M]?.key||"",n(M)},p=t[d],f=p&&fr(p),$=c.closest("[data-row]")?.querySelector("[aria-expanded]")?.getAttribute("aria-expanded")==="true",b={ArrowDown:()=>u(d+1),ArrowUp:()=>u(d-1),Home:()=>u(0),End:()=>u(t.length-1),"+":()=>r.zoom(.6),"-":()=>r.zoom(1.6),0:r.fit,z:s,...f&&!$&&{ArrowRight:()=>o(p)},...f&&$&&{ArrowLeft:()=>o(p)}}[l.key];!b||l.ctrlKey||l.metaKey||l.altKey||(b(),l.preventDefault(),l.stopPropagation())}}var N$=80,L$=["session_ended","body_erased"],R$={done:"done",failed:"failed",in_doubt:"in doubt",unplanned:"unplanned",open:"under way"};function Hl({status:e,query:t,chosen:n,select:o,row_actions:r}){let{execution:s}=e,i=!!s.plan_id,l=t.get("view")||(i?"plan":"time"),c=t.get("only")||"",d=be(b=>T(`/v1/executions/${encodeURIComponent(s.id)}/work`,b),[s.id]),p=Dl({read:d,wanted:{order:l==="graph"?"plan":l,only:c},by:s.id,version:D$(s.id)}),f=async()=>{let{rows:b}=await d({only:"failed",limit:1});b.length&&o({action:b[0].id})};fe("Work",{e:{label:"go to the first failure",run:()=>{f()}}});let $=[["plan","Plan"],["time","Time"],["newest","Newest first"],["graph","Graph"]],g=R$[c];return a`<section class="panel panel-flush work-panel" aria-label="Work">
    <div class="work-tools">
      <${ae} label="View" value=${c?"":l} choices=${i?$:$.slice(1,3)} onChange=${b=>X({view:b,only:""})} />
      ${s.failed>0&&a`<${w} icon="first" onClick=${f}>First failure</${w}>`}
      ${g&&a`<${w} icon="close" onClick=${()=>X({only:""})}>Only ${g}</${w}>`}
    </div>
    ${l==="graph"&&!c?a`<${Cl} work=${p} selected=${n.step} onStep=${b=>o({step:b})} />`:a`<${zl}
          work=${p}
          execution=${s}
          selected=${n.action||n.step}
          row_actions=${r}
          onSelect=${b=>o(Lt(b)?{action:Lt(b)}:{step:b.id})}
          empty=${g&&a`<${z} title=${`No actions are ${g}.`} />`}
        />`}
  </section>`}function D$(e){let[t,n]=h(0),o=A(0);return Re(r=>{r&&r.execution_id!==e&&!L$.includes(r.kind)||(o.current||=setTimeout(()=>(o.current=0,n(s=>s+1)),N$))}),t}v();br();v();oe();Ae();et();F();G();v();te();var Vl=100,Gl=1e3,Jl=6e4,F$=240,z$=40,H$=300;function Yl(e){let[t,n]=h({entries:[],complete:!1,problem:null}),[o,r]=h(0),s=A({entries:[],last:0,busy:!1,due:!1,stop:!1,timer:0}),i=async l=>{let c=s.current;if(c.busy){c.due=!0;return}c.busy=!0;let d=performance.now(),u=p=>{d=performance.now(),n({entries:c.entries,complete:p,problem:null})};try{let p=!0;do{c.due=!1;let f=await T("/v1/entries",{execution_id:e,after:c.last,limit:c.last?Gl:Vl});if(c.stop)return;f.entries.length&&(c.entries=c.entries.concat(f.entries.map(U$))),c.last=f.entries.length?f.entries[f.entries.length-1].seq:c.last,!f.entries.length&&f.more&&(c.last=f.last_seq),p=f.more,(c.entries.length<=Vl||performance.now()-d>H$)&&u(!p)}while(p&&c.entries.length<l||c.due);u(!p)}catch(p){c.stop||n(f=>({...f,problem:p}))}finally{c.busy=!1}};return _(()=>{s.current={entries:[],last:0,busy:!1,due:!1,stop:!1,timer:0};let l=s.current;return i(Jl),()=>{l.stop=!0,clearTimeout(l.timer)}},[e,o]),Re(l=>{if(l?.kind==="body_erased"&&r(d=>d+1),l&&l.execution_id!==e)return;let c=s.current;clearTimeout(c.timer),c.timer=setTimeout(()=>i(Jl),z$)}),{...t,more:()=>{!t.complete&&i(s.current.entries.length+Gl)}}}function U$(e){let{facts:t={},body:n}=e,o=n&&typeof n=="object"?n:{},r=t.channel==="client"?"in a client that could have answered by itself ":"",s=o.error||o.summary||o.title||o.why||o.question||o.reason||o.answer||t.key||t.event||t.reason||t.problem||"";return{seq:e.seq,kind:e.kind,at:e.at,id:e.id,actor:t.credential||e.actor,witness:e.witness,word:t.decision||t.verdict||t.status||t.event||"",tool:t.tool||"",text:`${r}${s}`.slice(0,F$),outcome:t.outcome||(e.kind==="action_doubted"?"in_doubt":""),undo:t.action_kind==="undo",behind:e.behind||0}}var W$={ok:"ok",failed:"failed",skipped:"skipped",unknown:"in_doubt",in_doubt:"in_doubt"},K$=new Set(["failed","in_doubt"]),Lo=class e{constructor(t){this.paired=t,this.first=void 0,this.all=[],this.indexBySeq=new Map,this.taken=0,this.begun=new Map}take(t){for(t[0]!==this.first&&Object.assign(this,new e(this.paired),{first:t[0]});this.taken<t.length;this.taken++)this.add(t[this.taken]);return this.all}add(t){let o=this.paired&&(t.kind==="action_ended"||t.kind==="action_doubted")?this.begun.get(t.id):void 0;if(o!==void 0){this.all[o]={...this.all[o],end:t,state:Xl(t)},this.indexBySeq.set(t.seq,o);return}this.paired&&t.kind==="action_begun"&&this.begun.set(t.id,this.all.length),this.indexBySeq.set(t.seq,this.all.length),this.all.push({entry:t,end:null,state:Xl(t)})}};function Un(e,t){return(e.end||e.entry.kind==="action_begun")&&t.get(e.entry.id)||e.state}function Xl(e){return W$[e.outcome]||""}var Ql=(e,t)=>K$.has(Un(e,t))||e.entry.kind==="decision_recorded";function Zl(e){let t=new Map;return e.forEach((n,o)=>{t.set(n.entry.seq,o),n.end&&t.set(n.end.seq,o)}),t}G();v();var V$=/[\p{L}\p{N}]/u,G$=5e3;function ec(e,t,n){let[o,r]=h({seqs:[],done:!0,more:!1,problem:null});return _(()=>{let s=new AbortController,i=async()=>{let l=[],c=0,d=!0;for(;d&&l.length<G$;){let u=await T("/v1/entries",{execution_id:e,text:t,after:c,limit:1e3},{signal:s.signal});if(l=l.concat(u.entries.map(p=>p.seq)),u.last_seq<=c)break;c=u.last_seq,d=u.more}r({seqs:l,done:!0,more:d,problem:null})};return V$.test(t)?(r(l=>({...l,done:!1})),i().catch(l=>l.name!=="AbortError"&&r({seqs:[],done:!0,more:!1,problem:l}))):r({seqs:[],done:!0,more:!1,problem:null}),()=>s.abort()},[e,t,n]),o}function tc(e,t){let n=t.split(/\s+/).map(r=>r.replace(/[^\p{L}\p{N}_-]/gu,"")).filter(r=>r.length>1);if(!n.length)return[{text:e,hit:!1}];let o=new RegExp(`(${n.join("|")})`,"giu");return e.split(o).filter(Boolean).map(r=>({text:r,hit:n.some(s=>s.toLowerCase()===r.toLowerCase())}))}var J$={decision_recorded:"claimed",approval_requested:"blocked",approval_decided:"completed",context_recorded:"context",execution_started:"running",execution_ended:"completed",action_noted:"edit",session_noted:"agent",body_erased:"close",unreadable:"warning"};function nc({execution:e,selected:t,action:n,onEntry:o,onAction:r}){let{lines:s}=Wl(e),{entries:i,complete:l,problem:c,more:d}=Yl(e),[u,p]=h("compact"),[f,$]=h("all"),[g,b]=h(!1),[C,M]=h(""),y=ec(e,C,l?i.length:0),S=u==="compact",I=le(()=>new Map(S?s.map(Y=>[Y.id,Y.state]):[]),[s,S]),V=le(()=>new Lo(S),[i[0]?.seq,S]),j=le(()=>[...V.take(i)],[V,i]),O=le(()=>f==="all"?j:j.filter(Y=>Ql(Y,I)),[j,f,I]),P=le(()=>f==="all"?V.indexBySeq:Zl(O),[V,O,f]),[q,W]=h(0),J=P.get(q)??-1,re=A("");_(()=>{let Y=t||n?`${t} ${n}`:"";if(Y===re.current)return;let Pe=t?P.get(t):O.findIndex(tp=>tp.entry.id===n);Y&&(Pe===void 0||Pe<0)||(re.current=Y,Y&&W(O[Pe].entry.seq))},[t,n,O]);let B=Y=>Y.entry.id.startsWith("ac_")&&S?r(Y.entry.id):o(Y.entry.seq),xe=Y=>O[Y]&&(b(!1),W(O[Y].entry.seq)),Ye=le(()=>O.findIndex(Y=>Un(Y,I)==="failed"),[O,I]),ve=le(()=>[...new Set(y.seqs.map(Y=>P.get(Y)))].filter(Y=>Y!==void 0),[y.seqs,O]),yt=le(()=>new Set(ve),[ve]),nt=ve.findIndex(Y=>Y===J),Q=Y=>ve.length&&xe(ve[nt<0?Y>0?Math.max(0,ve.findIndex(Pe=>Pe>J)):ve.length-1:(nt+Y+ve.length)%ve.length]);fe("Journal",{j:{label:"next entry",run:()=>xe(J+1)},k:{label:"previous entry",run:()=>xe(J-1)},Enter:{label:"open the entry",run:()=>O[J]&&B(O[J])},f:{label:"follow",run:()=>b(!g)},e:{label:"go to the first failure",run:()=>xe(Ye)},n:{label:"next match",run:()=>Q(1)},N:{label:"previous match",run:()=>Q(-1)}});let xt=A(Y=>{});xt.current=Y=>(W(Y.entry.seq),B(Y));let fn=ye("density")==="comfortable"?40:30;return c&&!i.length?a`<${L} problem=${c} />`:i.length?a`<div class="journal">
    <div class="journal-tools">
      <${Ke} label="Search this journal" value=${C} onChange=${M} onEnter=${()=>Q(1)} placeholder="Search all entries">
        ${C&&a`<span class="journal-count" role="status">${y.done?`${nt>=0?`${nt+1} of `:""}${ve.length}${y.more?"+":""} in ${y.seqs.length}${y.more?"+":""} entries`:"…"}</span>
          <${w} kind="ghost" icon="up" label="Previous match" onClick=${()=>Q(-1)} /><${w} kind="ghost" icon="down" label="Next match" onClick=${()=>Q(1)} />`}
      </${Ke}>
      <${ae} label="Entries" value=${u} choices=${[["compact","Compact"],["full","Full"]]} onChange=${p} />
      <${ae} label="Which" value=${f} choices=${[["all","All"],["problems","Problems and decisions"]]} onChange=${$} />
      <span class="journal-end">
        <${w} icon="first" disabled=${Ye<0} onClick=${()=>xe(Ye)}>First failure</${w}>
        <${w} icon="follow" pressed=${g} onClick=${()=>b(!g)}>Follow</${w}>
        <span class="soft num">${O.length} rows, ${i.length}${l?"":"…"} entries</span>
      </span>
    </div>
    <${L} problem=${c||y.problem} />
    <div class="journal-list panel">
      <${Ot}
        label="Journal"
        rows=${O}
        height=${fn}
        selected=${J}
        atEnd=${g}
        onEnd=${Y=>g&&!Y&&b(!1)}
        onNear=${d}
        looks=${(Y,Pe)=>[Pe,fn,Pe===J,yt.has(Pe),Un(Y,I),C].join(" ")}
        row=${(Y,Pe)=>a`<${Y$} key=${Y.entry.seq} row=${Y} state=${Un(Y,I)} height=${fn} on=${Pe===J} hit=${yt.has(Pe)} search=${C} onOpen=${()=>xt.current(Y)} />`}
      />
    </div>
  </div>`:l?a`<${z} title="No entries." />`:a`<${H} what="Loading the journal" />`}function Y$({row:e,state:t,height:n,on:o,hit:r,search:s,onOpen:i}){let{entry:l,end:c}=e,d=c?.text&&t==="failed"?`${l.text?`${l.text}: `:""}${c.text}`:l.text||c?.text||(l.tool?"":l.id),u=J$[l.kind],p=l.behind||c?.behind;return a`<div class=${ee("line",o&&"line-on",r&&"line-hit",t&&`line-${t}`)} role="listitem" style=${{height:`${n}px`}}>
    <span class="num faint">${l.seq}${c?a`<span class="line-pair">–${c.seq}</span>`:null}</span>
    <${N} at=${l.at} form="absolute" />
    <span class="line-state">${t?a`<${K} state=${t} quiet />`:a`<span class="line-kind">${u&&a`<${k} name=${u} />`}${l.word||Bn(l.kind)}</span>`}</span>
    <button type="button" class="line-what cut" aria-pressed=${String(o)} onClick=${i}>
      ${p?a`<span class="soft">(clock ${pe(p*1e3)} behind) </span>`:null}${l.undo&&a`<strong>undo </strong>`}${l.tool?a`<code><${m} text=${l.tool} /></code> `:t||!l.word?null:a`<span class="soft">${Bn(l.kind)} </span>`}
      ${s?tc(d,s).map(f=>f.hit?a`<mark><${m} text=${f.text} /></mark>`:a`<${m} text=${f.text} />`):a`<${m} text=${d} />`}
    </button>
    <span class="line-who cut"><${m} text=${l.actor} /></span>
    <span class="line-witness"><${Xe} witness=${l.witness} /></span>
    <span class="num line-took">${c&&t!=="in_doubt"?pe(Date.parse(c.at)-Date.parse(l.at)):""}</span>
  </div>`}Ae();te();U();var X$=8,oc=()=>`tallystick.recent.${Z()}`;function yr(){try{let e=JSON.parse(localStorage.getItem(oc())||"[]");return Array.isArray(e)?e.filter(t=>typeof t?.path=="string"&&t.path.startsWith("/")&&!t.path.startsWith("//")&&typeof t.title=="string"):[]}catch{return[]}}function sc(e){let t=location.pathname,n=yr().filter(o=>o.path!==t);localStorage.setItem(oc(),JSON.stringify([{path:t,title:e},...n].slice(0,X$)))}var xr=99,_r="Tallystick",Dt=0;function Ro(e,t=!1){t&&sc(e),_r=e==="Tallystick"?e:`${e} · Tallystick`,ac()}function rc(e){if(e===Dt)return;Dt=e,ac();let t=document.querySelector("link[rel=icon]");t&&(t.href=Dt?`/favicon.ico?waiting=${Math.min(Dt,xr+1)}`:"/static/favicon.svg")}function ac(){document.title=Dt?`(${Q$()}) ${_r}`:_r}var Q$=()=>Dt>xr?`${xr}+`:String(Dt);U();F();var Z$=1e4,em=["not_undone","undoing","in_doubt","failed"];function tm({id:e,query:t}){let{data:n,problem:o,reload:r}=D({by:[e],execution:e},d=>T(`/v1/executions/${encodeURIComponent(e)}/status`,{limit:Z$},{signal:d}));_(()=>{n&&Ro(_e(n.execution.title||e),!0)},[n?.execution.title]);let s=t.get("tab")||"work";if(om(e,s),!n)return a`<div class="page"><h1 class="visually-hidden">${e}</h1>${o?a`<${L} problem=${o} retry=${r} />`:a`<${H} what="Loading the execution" />`}</div>`;let i={action:t.get("action")||"",step:t.get("step")||"",entry:t.get("entry")||""},l=d=>X({action:"",step:"",entry:"",...d}),c=!!(i.action||i.step||i.entry);return a`<div class="page x-page">
    <${fl} status=${n} query=${t} />
    <${L} problem=${o} retry=${r} />
    <${Cn} label="Views of this execution" value=${s} tabs=${nm(n)} href=${d=>ic(e,d)} />
    <div class=${ee("x-body",c&&"x-detailed",`x-tab-${s}`)}>
      <div class="x-main"><${sm} tab=${s} status=${n} query=${t} chosen=${i} select=${l} /></div>
      ${c&&a`<${ll} execution=${e} status=${n.execution.status} ...${i} steps=${n.steps||[]} onClose=${()=>l({})} onAction=${d=>l({action:d})} />`}
    </div>
  </div>`}var on=[["work","Work"],["journal","Journal"],["undo","Undo list"],["doubt","In doubt"],["context","Context"],["coverage","Coverage"]],ic=(e,t)=>x(`/x/${e}`,{tab:t===on[0][0]?"":t});function nm(e){let{owed:t,in_doubt:n,undo_states:o={}}=e.execution,s={undo:em.reduce((l,c)=>l+Number(o[c]||0),0),doubt:n},i={undo:t?"undo":"plain",doubt:"doubt"};return on.map(([l,c])=>({id:l,title:c,count:s[l],tone:i[l]}))}function om(e,t){let n=on.findIndex(([r])=>r===t),o=r=>ce(ic(e,on[(n+r+on.length)%on.length][0]));fe("Execution",{"]":{label:"next view",run:()=>o(1)},"[":{label:"previous view",run:()=>o(-1)},u:{label:"back to all executions",run:()=>ce("/executions")}})}function sm({tab:e,status:t,query:n,chosen:o,select:r}){let s=t.execution,i=l=>r({action:l});return e==="journal"?a`<${nc} execution=${s.id} selected=${Number(o.entry)||0} action=${o.action} onEntry=${l=>r({entry:l})} onAction=${i} />`:e==="undo"?a`<${yl} execution=${s.id} onAction=${i} />`:e==="doubt"?a`<${cl} execution=${s.id} onAction=${i} />`:e==="context"?a`<${Wi} execution=${s.id} task=${s.task_id||""} />`:e==="coverage"?a`<${Ki} coverage=${t.coverage} />`:a`<${Hl} status=${t} query=${n} chosen=${o} select=${r} row_actions=${hl(s)} />`}var Ar={};Ce(Ar,{Page:()=>Cm});G();Sr();Po();G();Po();v();te();U();var dm={m:6e4,h:36e5,d:864e5,w:6048e5},um=20,pm=8;function Vn(e,t=Date.now()){let n=e.trim().toLowerCase();if(n==="today")return{since:rn(Kn(t,0,0))};if(n==="yesterday")return{since:rn(Kn(t,-1,0)),until:rn(Kn(t,0,0))};if(n==="last night"){let r=Kn(t,0,pm);return{since:rn(Kn(t,-1,um)),...r<t?{until:rn(r)}:{}}}let o=/^(\d{1,6})\s*([mhdw])$/.exec(n);return o?{since:rn(t-Number(o[1])*dm[o[2]])}:null}function Kn(e,t,n){let o=new Date(e);return new Date(o.getFullYear(),o.getMonth(),o.getDate()+t,n).getTime()}var rn=e=>new Date(e).toISOString();F();function fm(e){try{let t=JSON.parse(localStorage.getItem($c(e))||"null");return Number.isFinite(t?.since)&&Number.isFinite(t?.until)?t:null}catch{return null}}var $c=e=>`tallystick.looked.${e}`;function jo(e){let t=Date.now(),n=fm(e),o=n?t-n.until<6e5?n.since:n.until:0;return localStorage.setItem($c(e),JSON.stringify({since:o,until:t})),o}function mc(e,t){let n=()=>document.hidden||jo(e),o=()=>!document.hidden&&t(),r=setInterval(n,6e4);return document.addEventListener("visibilitychange",o),()=>(clearInterval(r),document.removeEventListener("visibilitychange",o))}var $m=12,mm=[["look","Since you last looked"],["24h","24 hours"],["last night","Last night"],["7d","7 days"]],hm={look:"Since you last looked","24h":"The last 24 hours","last night":"Last night","7d":"The last 7 days"},gm=["execution_started","execution_ended","decision_recorded"],bm=[["failed","failed","failed"],["completed","finished","ok"],["cancelled","cancelled","idle"],["closed","closed","idle"],["started","started","running"]];function hc({range:e}){let[t,n]=h(()=>jo(Z()));_(()=>mc(Z(),()=>n(jo(Z()))),[]);let o=e||(t?"look":"24h"),r=o==="look"?{since:new Date(t).toISOString()}:Vn(o)??{since:"24h"},s=D({by:[Z(),o,t],kinds:gm},l=>T("/v1/activity",{...r,limit:$m},{signal:l})),i=s.data;return a`<section class="home-activity" aria-labelledby="happened">
    <header class="page-head">
      <h2 id="happened">${hm[o]??o}</h2>
      ${i&&a`<${ym} since=${i.since} until=${i.until} />`}
      <div class="page-head-end"><${ae} label="Range" value=${o} choices=${mm} onChange=${l=>X({range:l==="look"?"":l},{replace:!0})} /></div>
    </header>
    <${L} problem=${s.problem} retry=${s.reload} />
    ${i?a`<${xm} data=${i} />`:!s.problem&&a`<${H} />`}
  </section>`}function ym({since:e,until:t}){let n=tt(),o=we(),r=o-Date.parse(t)<6e4;return a`<p class="soft">${In(e,n)} – ${r?"now":In(t,n)}${r?` (${pe(o-Date.parse(e),1)})`:""}</p>`}function xm({data:e}){let t=e.agents??[],n=e.executions??[];return t.length?a`<ul class="home-agents" aria-label="By agent">
      ${t.map(o=>a`<li key=${o.actor}>
        <strong class="cut"><${m} text=${o.actor} /></strong>
        <span>${bm.filter(([r])=>o[r]).map(([r,s,i],l)=>a`${l?", ":""}<span class=${`count-${i}`}>${o[r]} ${s}</span>`)}</span>
      </li>`)}
    </ul>
    <div class="panel home-rows" role="list" aria-label="Executions">
      ${n.map((o,r)=>a`<${sn} key=${o.id} row=${o} index=${`happened-${r}`} selected=${!1} onFocus=${()=>{}} />`)}
    </div>
    ${(e.more||e.whole===!1)&&a`<p class="soft">${e.more?"There are more. ":"Older executions may have ended in this time. "}<a href=${x("/executions",{q:`since:${e.since}`})}>Show all executions started since</a></p>`}`:a`<${R}><${z} icon="check" title="Nothing was started or finished." /><//>`}v();oe();qo();Ae();U();F();var Mr={question_waits:{word:"Question",many:"questions",tone:"waiting",icon:"blocked",button:"Answer"},undo_expires:{word:"Undo expires",many:"undos expire",tone:"undo",icon:"late",button:"Undo or keep"},in_doubt:{word:"In doubt",tone:"doubt",icon:"in_doubt",button:"Settle"},run_held:{word:"Step held",many:"steps held",tone:"doubt",icon:"paused",button:"Settle"},interrupted:{word:"Interrupted",tone:"doubt",icon:"warning",button:"Take up or end"},undo_left:{word:"Not undone",tone:"undo",icon:"owed",button:"Undo or keep"}},vm={in_doubt:"doubt",run_held:"doubt",undo_expires:"undo",undo_left:"undo"},bc=(e,t)=>`${t} ${t>1&&Mr[e]?.many||(Mr[e]?.word??e).toLowerCase()}`;function yc(e){return e.need==="question_waits"?x(`/approvals/${e.about}`):x(`/x/${e.execution_id}`,{tab:vm[e.need]??""})}function xc({items:e}){let[t,n]=h(-1),o=r=>n(Math.max(0,Math.min(e.length-1,t+r)));return fe("Needs you",{j:{label:"next",run:()=>o(1)},k:{label:"previous",run:()=>o(-1)},Enter:{label:"open it",run:()=>e[t]&&ce(yc(e[t]))}}),_(()=>{if(t<0)return;document.querySelector(`[data-need="${t}"] .need-link`)?.focus()},[t]),a`<ul class="needs panel" aria-label="What needs you">
    ${e.map((r,s)=>a`<${km} key=${`${r.need}/${r.about}`} item=${r} index=${s} onFocus=${()=>n(s)} />`)}
  </ul>`}function km({item:e,index:t,onFocus:n}){let{word:o,tone:r,icon:s,button:i}=Mr[e.need]??{word:e.need,tone:"plain",icon:"warning",button:"Open"},l=yc(e);return a`<li class=${`need tone-${r}`} data-need=${t}>
    <span class="need-kind"><${ne} tone=${r} icon=${s}>${o}</${ne}></span>
    <div class="need-what">
      <a class="need-link" href=${l} onFocus=${n}><${m} text=${e.need==="question_waits"?e.text:e.title||e.text} /></a>
      <p class="need-text soft">
        ${e.need==="question_waits"?e.title&&a`<${m} text=${e.title} />`:e.title&&a`<${m} text=${e.text} />`}
        ${e.count>1&&a`<strong>, and ${e.count-1} more</strong>`}
      </p>
    </div>
    <div class="need-since">
      ${e.until?a`<${Sm} until=${e.until} />`:a`<span><${N} at=${e.since} /></span>`}
      ${e.who&&a`<span class="need-who cut"><${m} text=${e.who} /></span>`}
    </div>
    <${ze} class="need-button" href=${l} kind=${e.need==="question_waits"?"primary":"plain"} tabindex="-1" aria-label=${`${i}: ${_e(e.title||e.text)}`}>${i}</${ze}>
  </li>`}function Sm({until:e}){let{text:t,urgency:n}=Gn(e,we());return a`<span class="need-until" title=${e}><${k} name="late" size=${14} /> ${n==="over"?"too late":t}</span>`}G();v();te();U();F();var Em=6e4,_c={verify_failed:"Verification failed",hook_silent:"Hooks are silent",run_failed:"A run failed",tool_failing:"A tool fails more than usual",step_slow:"A step takes long"};function wc(){let{data:e,reload:t}=D({by:[Z()],kinds:["alert_silenced","execution_ended"]},o=>T("/v1/alerts",{},{signal:o}));_(()=>{let o=setInterval(()=>document.hidden||t(),Em);return()=>clearInterval(o)},[]);let n=(e?.alerts??[]).filter(o=>o.rule in _c&&!o.silenced);return n.length?a`<section aria-labelledby="watch">
    <header class="page-head"><h2 id="watch">Worth a look</h2><div class="page-head-end"><a href=${x("/alerts")}>All alerts</a></div></header>
    <ul class="needs panel" aria-label="Worth a look">
      ${n.map(o=>a`<li class="need" key=${`${o.rule}/${o.about}`}>
        <span class="need-kind"><${ne} tone="failed" icon="warning">${_c[o.rule]}</${ne}></span>
        <div class="need-what">
          ${o.execution_id?a`<a class="need-link" href=${x(`/x/${o.execution_id}`)}><${m} text=${o.text} /></a>`:a`<span class="need-link"><${m} text=${o.text} /></span>`}
          <p class="need-text soft"><${m} text=${[o.title,o.to_do].filter(Boolean).join(" · ")} /></p>
        </div>
        <div class="need-since"><span><${N} at=${o.since} /></span></div>
      </li>`)}
    </ul>
  </section>`:null}v();oe();G();v();te();U();var Tm=["approval_","execution_","action_doubted","decision_recorded","session_opened","session_ended"],Mm=1e4,vc=gs({data:null,problem:null,reload:()=>{}}),Cr=vc.Provider;function kc(){let e=D({kinds:Tm,by:[Z()]},t=>T("/v1/inbox",{limit:50},{signal:t}));return _(()=>{let t=setInterval(()=>document.hidden||e.reload(),Mm);return()=>clearInterval(t)},[]),_(()=>rc(Se()?0:Jn(e.data)),[e.data]),e}var Bo=()=>vs(vc),Jn=e=>Object.values(e?.counts??{}).reduce((t,n)=>t+n,0);te();U();F();function Cm({query:e}){let{data:t,problem:n,reload:o}=Bo(),r=D({by:[Z()],kinds:["execution_started"]},l=>T("/v1/executions",{limit:1},{signal:l})),s=e.has("q")||e.has("group")||Se();if(_(()=>{s&&ce(x("/executions",e),{replace:!0})},[s]),s)return null;if(r.data&&!r.data.executions.length)return a`<${Do} />`;if(!t||!r.data)return a`<div class="page"><h1 class="visually-hidden">Home</h1>${n?a`<${L} problem=${n} retry=${o} />`:a`<${H} />`}</div>`;let i=Jn(t);return a`<div class="page home">
    <header class="page-head">
      <h1>${i?"Needs you":"Nothing needs you"}</h1>
      ${i>0&&a`<p class="home-counts soft">${Am(t.counts)}</p>`}
    </header>
    <${L} problem=${n} retry=${o} />
    ${i?a`<${xc} items=${t.items} />`:a`<p class="home-calm"><${k} name="completed" size=${20} /><span>No question waits, nothing is in doubt, and nothing is left to undo.</span></p>`}
    ${(t.items.length<i||t.more.length>0)&&a`<p class="soft">There are more: look at <a href=${x("/executions")}>all executions</a>.</p>`}
    <${Im} rows=${t.working} count=${t.working_count} />
    <${wc} />
    <${hc} range=${e.get("range")||""} />
  </div>`}var Am=e=>Object.entries(e).map(([t,n])=>bc(t,n)).join(" · ");function Im({rows:e,count:t}){return a`<section aria-labelledby="working">
    <header class="page-head">
      <h2 id="working">${t?"Running now":"Nothing is running"}</h2>
      ${t>0&&a`<p class="soft">${t} ${t===1?"execution":"executions"}</p>`}
      <div class="page-head-end"><a href=${x("/executions")}>All executions</a></div>
    </header>
    ${t>0&&a`<div class="panel home-rows" role="list" aria-label="Running now">
      ${e.map((n,o)=>a`<${sn} key=${n.id} row=${n} index=${`working-${o}`} selected=${!1} onFocus=${()=>{}} />`)}
    </div>`}
    ${t>e.length&&a`<p class="soft"><a href=${x("/executions",{q:"status:running"})}>Show all that are running</a></p>`}
  </section>`}U();Fe();Or();Ht();v();oe();G();v();oe();U();je();var Nm="excerpt";function Cc(){let[e,t]=h([]),n=Se()?Z():"";if(_(()=>{n&&T("/v1/imports").then(s=>t(s.imports),()=>{})},[n]),!n)return null;let o=e.find(s=>s.journal===n),r=o&&!o.verified;return a`<p class=${`imported ${r?"imported-wrong":""}`} role="note">
    <${k} name=${r?"warning":"import"} />
    <span>This is an imported export${o&&o.of!==Nm&&a` of <code><${m} text=${o.of} /></code>`}, not a journal of this server.
      ${r&&a`<strong> It does not verify: <${m} text=${o.problem.replace(/\.$/,"")} />. Do not rely on it.</strong>`}</span>
  </p>`}On();Ae();te();U();G();v();oe();U();F();U();var Fo={recent:["Recent","late"],page:["Pages","table"],execution:["Executions","executions"],plan:["Plans","plans"],approval:["Approvals","approvals"],action:["Actions","running"],decision:["Decisions","check"],context:["Context","context"],person:["People and agents","person"],tool:["Tools","settings"]},Lm=e=>/\s/.test(e)?`"${e}"`:e;function Nr(e){let{kind:t,id:n}=e;return e.path?x(e.path):t==="execution"?x(`/x/${n}`):t==="plan"?x(`/plans/${n}`):t==="approval"?x(`/approvals/${n}`):t==="action"?x(`/x/${e.execution_id}`,{action:n}):t==="decision"?x(`/x/${e.execution_id}`,{tab:"journal"}):t==="context"?x("/context",{text:n.split(" ").slice(1).join(" ")}):x("/executions",{q:`${t==="person"?"agent":"tool"}:${Lm(n)}`})}var Rm=/\b(since|until):(?:"([^"]*)"|(\S+))/gi,Dm=/(?<![^\W_])(today|yesterday|last night)(?![^\W_])/gi;function Ac(e){let t={},n=e.replace(Rm,(o,r,s,i)=>{let l=s??i,c=Vn(l);return r.toLowerCase()==="since"?t={...t,...c??{since:l}}:t={...t,until:c?.until??c?.since??l}," "});return n=n.replace(Dm,(o,r)=>(t={...t,...Vn(r)}," ")),{text:n.trim().replaceAll(/\s+/g," "),...t}}var Pm=150,jm=/^(ex|pl|ap)_[a-z0-9]+$/,qm={ex:"execution",pl:"plan",ap:"approval"},Oc=[["/","Home"],["/executions","Executions"],["/approvals","Approvals"],["/plans","Plans"],["/context","Context"],["/stats","Stats"],["/alerts","Alerts"],["/webhooks","Webhooks"],["/compare","Compare two executions"]];function Nc({onClose:e}){let[t,n]=h(""),{found:o,searched:r,problem:s,pending:i}=Bm(t),l=A(!1),[c,d]=h(0),u=A(null),p=Me();_(()=>{let b=u.current;return b?.showModal(),()=>b?.close()},[]),_(()=>{d(0),l.current&&o[0]&&f(o[0]),l.current=!1},[o]),_(()=>u.current?.querySelector("[aria-selected=true]")?.scrollIntoView({block:"nearest"}),[c,o]);let f=b=>(e(),ce(Nr(b))),$=b=>{let C={ArrowDown:1,ArrowUp:-1}[b.key];if(C)d((c+C+o.length)%Math.max(o.length,1));else if(b.key==="Enter"&&i)l.current=!0;else if(b.key==="Enter"&&o[c])f(o[c]);else return;b.preventDefault()};return a`<dialog ref=${u} class="dialog palette" aria-label="Search" onCancel=${b=>(b.preventDefault(),e())} onClick=${b=>b.target===u.current&&e()}>
    <div class="palette-box">
      <div class="palette-input">
        <${k} name="search" />
        <input type="text" role="combobox" aria-label="Search everything" aria-expanded="true" aria-controls=${p} aria-activedescendant=${o.length?`${p}-${c}`:null}
          autofocus autocomplete="off" spellcheck="false" placeholder="Search executions, actions, approvals, people, …" value=${t}
          onInput=${b=>n(b.target.value)} onKeyDown=${$} />
        <button type="button" class="button button-ghost" onClick=${e}>Close</button>
      </div>
      <${L} problem=${s} />
      <div id=${p} class="palette-list" role="listbox" aria-label="Found">
        ${zm(o).map(([b,C])=>a`<div role="group" aria-label=${Fo[b][0]} key=${b}>
          <div class="palette-kind" aria-hidden="true">${Fo[b][0]}</div>
          ${C.map(([M,y])=>a`<${Hm} key=${`${M.kind} ${M.id}`} id=${`${p}-${y}`} found=${M} chosen=${y===c} onOpen=${()=>f(M)} onPoint=${()=>d(y)} />`)}
        </div>`)}
      </div>
      <p class="palette-note soft" role="status">${i?"Searching…":o.length?a`<span class="visually-hidden">${o.length} found</span>`:r?"Nothing was found.":""}</p>
      <p class="palette-hints soft"><span><${Be} keys="↑ ↓" /> choose <${Be} keys="Enter" /> open</span><span>Times too: <code>yesterday</code> <code>last night</code> <code>since:16h</code></span></p>
    </div>
  </dialog>`}function Bm(e){let t=le(()=>[...yr().map(r=>({kind:"recent",id:r.path,...r})),...Oc.map(([r,s])=>({kind:"page",id:r,path:r,title:s}))],[]),[n,o]=h({found:t,searched:!1,problem:null});return _(()=>{let r=Ac(e);if(!r.text&&!r.since&&!r.until)return o({found:t,searched:!1,problem:null,of:e});let s=new AbortController,i=setTimeout(()=>Fm(r,s.signal).then(l=>s.signal.aborted||o({found:l,searched:!0,problem:null,of:e}),l=>s.signal.aborted||o({found:[],searched:!0,problem:l,of:e})),Pm);return()=>(clearTimeout(i),s.abort())},[e]),{...n,pending:e!==(n.of??"")}}async function Fm(e,t){let n=jm.exec(e.text);if(n)return[{kind:qm[n[1]],id:e.text,title:e.text}];let o=Oc.filter(([,s])=>e.text&&s.toLowerCase().startsWith(e.text.toLowerCase())).map(([s,i])=>({kind:"page",id:s,path:s,title:i}));return/[\p{L}\p{N}]/u.test(e.text)?[...o,...(await T("/v1/matches",e,{signal:t})).matches]:e.text?[]:(await T("/v1/executions",{since:e.since,until:e.until,limit:20},{signal:t})).executions.map(s=>({kind:"execution",id:s.id,title:s.title,at:s.started,who:s.actor}))}function zm(e){let t=new Map;return e.forEach((n,o)=>t.set(n.kind,[...t.get(n.kind)??[],[n,o]])),[...t]}function Hm({id:e,found:t,chosen:n,onOpen:o,onPoint:r}){let s=t.snippet??[],i=t.title||t.id,l=s.length>0&&s.join("")===i,c=t.execution_title&&t.kind!=="execution"?t.execution_title:"";return a`<a role="option" id=${e} tabindex="-1" class="palette-option" href=${Nr(t)} aria-selected=${String(n)} onMouseMove=${r}
    onClick=${d=>{d.metaKey||d.ctrlKey||d.shiftKey||(d.preventDefault(),o())}}>
    <${k} name=${Fo[t.kind]?.[1]??"table"} />
    <span class="palette-what">
      <span class="palette-title cut">${l?a`<${Ic} pieces=${s} />`:a`<${m} text=${i} />`}</span>
      ${s.length>0&&!l&&a`<span class="palette-snippet cut"><${Ic} pieces=${s} /></span>`}
      ${(c||t.who)&&a`<span class="palette-where cut soft">${c&&a`<${m} text=${c} />`}${c&&t.who?" · ":""}${t.who&&a`<${m} text=${t.who} />`}</span>`}
    </span>
    ${t.at&&a`<span class="palette-at soft"><${N} at=${t.at} /></span>`}
  </a>`}function Ic({pieces:e}){return e.map((t,n)=>n%2?a`<mark><${m} text=${t} /></mark>`:a`<${m} text=${t} />`)}Fe();et();F();var Rc=[["/","Home","home","h"],["/executions","Executions","executions","e"],["/approvals","Approvals","approvals","a"],["/plans","Plans","plans","p"],["/context","Context","context","c"],["/stats","Stats","stats","s"]];function Lr({path:e,children:t}){let[n,o]=h(!1),[r,s]=h(!1),i=kc(),l=Rc.map(([c,d,,u])=>[`g ${u}`,{label:`go to ${d.toLowerCase()}`,run:()=>ce(c)}]);return fe("Everywhere",{"?":{label:"show these shortcuts",run:()=>o(!0)},"/":{label:"search everything",run:()=>s(!0)},"Ctrl+k":{label:"search everything",run:()=>s(!0),typing:!0},f:{label:"filter this page",run:er},...Object.fromEntries(l),"g l":{label:"go to alerts",run:()=>ce("/alerts")}}),a`<${Cr} value=${i}>
    <a class="skip" href="#main" data-native>Skip to the content</a>
    <header class="top">
      <a class="brand" href=${x("/")} aria-label="Tallystick, home"><${ho} /><span>Tallystick</span></a>
      <${Wm} />
      <${Um} path=${e} />
      <div class="top-end">
        <${w} kind="ghost" icon="search" aria-label="Search, Ctrl K" onClick=${()=>s(!0)}><span class="search-key">Ctrl K</span></${w}>
        <${Km} />
        <${Gm} />
        <${Jm} onHelp=${()=>o(!0)} />
      </div>
    </header>
    <${Cc} />
    <main id="main" tabindex="-1">${t}</main>
    <${Ns} />
    <${Tc} />
    <${Zm} />
    ${r&&a`<${Nc} onClose=${()=>s(!1)} />`}
    ${n&&a`<${Qm} onClose=${()=>o(!1)} />`}
  </${Cr}>`}function Um({path:e}){let t=Bo().data,n=!Se()&&t?.counts||{},o={"/":[Se()?0:Jn(t),"need you"],"/approvals":[n.question_waits??0,"pending"]},r=s=>s==="/"?e==="/"||e==="/alerts":e.startsWith(s)||s==="/executions"&&e.startsWith("/x/");return a`<nav class="navigation" aria-label="Main">
    ${Rc.map(([s,i,l])=>a`<a href=${x(s)} class="nav-link" aria-current=${r(s)?"page":null}>
        <${k} name=${l} /><span>${i}</span>
        ${o[s]?.[0]?a`<span class="nav-link-count tone-waiting"><span class="visually-hidden">, </span>${o[s][0]}<span class="visually-hidden"> ${o[s][1]}</span></span>`:null}
      </a>`)}
  </nav>`}function Wm(){let{shown:e,others:t}=ht();return e?t.length?a`<label class="journal-name"><${k} name="journal" /><span class="visually-hidden">Journal</span>
    <select value=${e} onChange=${n=>ce(`/?journal=${encodeURIComponent(n.target.value)}`)}>
      ${[e,...t].sort().map(n=>a`<option value=${n} selected=${n===e}>${n}</option>`)}
    </select>
  </label>`:a`<span class="journal-name" title="Journal"><${k} name="journal" /><span>${e}</span></span>`:null}function Km(){let e=tt();return ye("time")==="absolute"?a`<span class="zone" title="Time zone">${e}</span>`:null}var Vm={live:["live","Live"],connecting:["offline","Connecting"],offline:["offline","Offline"]};function Gm(){let e=fi(),[t,n]=Vm[e];return a`<span class=${`connection connection-${e}`} role="status">
    <${k} name=${t} /><span>${n}</span>
  </span>`}var Lc={theme:"Theme",density:"Density",time:"Times",zone:"Time zone"};function Jm({onHelp:e}){let t=Ie(),n=tt();return a`<${st} label="Settings" icon="settings" kind="ghost" end>
    <div class="settings">
      ${Object.keys(An).map(o=>a`<${Xm} key=${o} name=${o} />`)}
      <p class="soft">Times are shown in ${n}.</p>
      <hr />
      <a class="menu-item" href=${x("/alerts")}><${k} name="warning" />Alerts</a>
      <a class="menu-item" href=${x("/compare")}><${k} name="compare" />Compare two executions</a>
      <a class="menu-item" href=${x("/webhooks")}><${k} name="export" />Webhooks</a>
      <a class="menu-item" href=${x("/import")}><${k} name="import" />Open an export</a>
      <button type="button" class="menu-item" data-close onClick=${e}><${k} name="keyboard" />Shortcuts <${Be} keys="?" /></button>
      ${t.person&&a`<${Ym} session=${t} />`}
      <p class="soft">Tallystick ${t.version}</p>
    </div>
  </${st}>`}function Ym({session:e}){return a`<button type="button" class="menu-item" onClick=${async()=>{await fetch("/logout",{method:"POST",headers:{"Tallystick-CSRF":e.csrf}}),ao(!0),location.assign("/login")}}><${k} name="person" />Log out ${e.name}</button>`}function Xm({name:e}){let t=ye(e);return a`<div class="setting">
    <span>${Lc[e]}</span>
    <${ae} label=${Lc[e]} value=${t} choices=${An[e]} onChange=${n=>sr(e,n)} />
  </div>`}function Qm({onClose:e}){let t=Xa();return a`<${Qe} title="Shortcuts" onClose=${e} wide>
    <div class="help">
      ${t.map(({group:n,keys:o})=>a`<section>
          <h3>${n}</h3>
          <dl>${o.map(([r,s])=>a`<div><dt><${Be} keys=${r} /></dt><dd>${s}</dd></div>`)}</dl>
        </section>`)}
    </div>
  </${Qe}>`}function Zm(){let e=Qa();return e?a`<div class="pending" role="status"><${Be} keys=${e} /> then…</div>`:null}et();F();var Zu=()=>Promise.resolve().then(()=>(xd(),yd)),Yb=[["/",async()=>Ar,"Home"],["/executions",()=>Promise.resolve().then(()=>(Md(),Td)),"Executions"],["/x/:id",async()=>wr,"Execution"],["/approvals",Zu,"Approvals","approvals"],["/approvals/:id",Zu,"Approvals","approvals"],["/alerts",()=>Promise.resolve().then(()=>(Od(),Id)),"Alerts"],["/webhooks",()=>Promise.resolve().then(()=>(Pd(),Dd)),"Webhooks"],["/context",()=>Promise.resolve().then(()=>(Fd(),Bd)),"Context"],["/plans",()=>Promise.resolve().then(()=>(Hd(),zd)),"Plans"],["/plans/:id",()=>Promise.resolve().then(()=>(Gd(),Vd)),"Plan"],["/compare",()=>Promise.resolve().then(()=>(nu(),tu)),"Compare"],["/stats",()=>Promise.resolve().then(()=>(Tu(),Eu)),"Stats"],["/replay/:id",()=>Promise.resolve().then(()=>(Wu(),Uu)),"Replay"],["/import",()=>Promise.resolve().then(()=>(Yu(),Ju)),"Import"]],Xb={module:()=>Promise.resolve().then(()=>(Qu(),Xu)),params:{},title:"Not found",pageKey:""};function Qb(e){for(let[t,n,o,r]of Yb){let s=Fa(t,e);if(s)return{module:n,params:s,title:o,pageKey:r}}return Xb}function Zb(){let{path:e,query:t}=qa(),{module:n,params:o,title:r,pageKey:s}=Qb(e),[i,l]=h(null),c=t.get("journal")||"";ke(()=>{Ro(r);let u=!1;return n().then(p=>u||l({module:n,Page:p.Page}),()=>u||l({module:n,Page:ey})),()=>{u=!0}},[n]),_(()=>di(),[c]);let d=A(0);return Re(u=>{u===null&&(d.current+=1)>1&&ut()}),a`<${Lr} path=${e}>
    <${ep} key=${(s||e)+c}>
      ${i?.module===n?a`<${i.Page} ...${o} query=${t} />`:a`<${H} />`}
    </${ep}>
  </${Lr}>`}function ey(){return a`<div class="page"><${L} problem=${{message:"This view could not be loaded.",hint:"Is the server still running?"}} retry=${()=>location.reload()} /></div>`}function ep({children:e}){let[t,n]=ks(o=>console.error(o));return t?a`<${L} problem=${{message:"This view failed.",hint:String(t)}} retry=${n} />`:a`<${ct}>${e}</${ct}>`}zi();ao();za();pi();Za();Wa();hs(a`<${Zb} />`,document.getElementById("app"));
